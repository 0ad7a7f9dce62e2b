// One script for all places: in JupyterLab it is the front end of a live widget, in a page without Python it finds the
// widgets that came with the page.

import { add } from "./drawing.js";
import { Stage, WIDGETS, whenAtRest } from "./stage.js";

// A widget in a live notebook: Python is told its state when nothing moves any more, and may set another.
function render({ model, el }) {
  const host = add(el, "div");
  el.style.flex = "1 1 20em"; // in a row of widgets
  const spec = model.get("spec");
  const stage = new Stage(host, spec);
  let known = JSON.stringify(model.get("state"));
  const tell = whenAtRest((state) => {
    if (JSON.stringify(state) === known) return;
    known = JSON.stringify(state);
    model.set("state", state);
    model.save_changes();
  });
  const accept = WIDGETS[spec.kind](stage, { ...spec, start: model.get("state") }, tell);
  const heard = () => {
    const state = model.get("state");
    if (JSON.stringify(state) === known) return;
    known = JSON.stringify(state);
    accept(state);
    tell.cancel(); // what was on its way to Python is older
  };
  model.on("change:state", heard);
  return () => {
    model.off("change:state", heard);
    stage.close();
  };
}

// The widgets of this page that no copy of this script has taken yet, of the kinds that this copy knows. What they hide
// is the table in their place.
for (const host of document.querySelectorAll("div.pla-stage")) {
  const data = host.querySelector('script[type="application/json"]');
  if (!data || host.shadowRoot) continue;
  const spec = JSON.parse(data.textContent);
  if (spec.kind in WIDGETS) WIDGETS[spec.kind](new Stage(host, spec), spec, () => {});
}

export default { render };
