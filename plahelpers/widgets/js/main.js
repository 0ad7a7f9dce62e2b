// One script for all places: in JupyterLab it is the front end of a live widget, in a page without Python it finds the
// widgets that came with the page.

import { add } from "./drawing.js";
import { Stage, WIDGETS, whenAtRest } from "./stage.js";

// A widget in a live notebook: Python is told its state when nothing moves any more.
function render({ model, el }) {
  const spec = model.get("spec");
  const stage = new Stage(add(el, "div"), spec); // which notices when it is taken away
  const tell = whenAtRest((state) => {
    model.set("state", state);
    model.save_changes();
  });
  WIDGETS[spec.kind](stage, { ...spec, start: model.get("state") }, tell);
}

// The widgets of this page that no copy of this script has taken yet, of the kinds that this copy knows. What they hide
// is the sentence in their place.
for (const host of document.querySelectorAll("div.pla-stage")) {
  const data = host.querySelector('script[type="application/json"]');
  if (!data || host.shadowRoot) continue;
  const spec = JSON.parse(data.textContent);
  if (spec.kind in WIDGETS) WIDGETS[spec.kind](new Stage(host, spec), spec, () => {});
}

export default { render };
