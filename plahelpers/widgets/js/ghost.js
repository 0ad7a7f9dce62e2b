// The line that a reader predicts: she drags it, turns it by the tip of its arrow, or does both by keys.

import { SIZE, arrow, draw, set } from "./drawing.js";

const ARROW = 130; // its length, in picture units
const KEYS = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 20], ArrowDown: [0, -20] }; // degrees, picture units
const DEGREE = Math.PI / 180;

export class Ghost {
  constructor(plane, say, touch) {
    Object.assign(this, { plane, say, touch });
    const about = { role: "slider", tabindex: 0, "aria-label": say("ghost_label") };
    this.node = draw(plane.svg, "g", { class: "ghost", ...about, "aria-valuemin": -180, "aria-valuemax": 180 });
    this.line = draw(this.node, "path", { class: "line ghost" });
    this.arrow = draw(this.node, "g", { class: "arrow ghost" });
    this.name = draw(this.node, "text", { class: "halo ghost", "text-anchor": "middle" });
    this.arc = draw(this.node, "path", { class: "arc" });
    this.grips = plane.addGrips(this.node, () => this.take(), (place, angle) => this.touched(place, angle));
    this.hide();
  }

  hide() {
    set(this.node, { display: "none" });
  }

  // At the line of w, or where it has none across the middle; the reader has not touched it yet.
  follow(w) {
    const ends = this.plane.ends(w);
    const isLine = ends.length > 0;
    const [u, v] = this.plane.pixels(isLine ? w.slice(1) : [0, 1]);
    Object.assign(this, { isTouched: false, angle: Math.atan2(v, u) });
    const [from, to] = isLine ? ends : [[SIZE / 2, SIZE / 2], [SIZE / 2, SIZE / 2]];
    const places = [0.22, 0.78, 0.5].map((share) => from.map((value, i) => value + share * (to[i] - value)));
    const isFree = (place) => this.tipFrom(place, 70).every((value) => value > 0 && value < SIZE);
    set(this.node, { display: "inline" });
    this.move(places.find(isFree) ?? places[0], this.angle);
    this.call(this.say("your_line_to_drag"));
  }

  tipFrom(place, more = 0) {
    const [dx, dy] = [Math.cos(this.angle), Math.sin(this.angle)];
    return [place[0] + (ARROW + more) * dx, place[1] + (ARROW + more) * dy];
  }

  // Through a place of the picture, its arrow in a direction; not where no part of it would be seen.
  move(place, angle) {
    const w = this.plane.weights(place, angle);
    const ends = this.plane.ends(w);
    if (!ends.length) return;
    const isInside = place.every((value) => value >= 0 && value <= SIZE);
    const foot = isInside ? place : [0, 1].map((i) => (ends[0][i] + ends[1][i]) / 2);
    Object.assign(this, { w, foot, angle });
    for (const node of [this.line, this.grips.line]) node.setAttribute("d", `M${ends[0]}L${ends[1]}`);
    const tip = this.tipFrom(foot);
    arrow(this.arrow, foot, tip, 7);
    set(this.grips.tip, { cx: tip[0], cy: tip[1] });
    const degrees = Math.round(Math.atan2(w[2], w[1]) / DEGREE);
    set(this.node, { "aria-valuenow": degrees, "aria-valuetext": this.say("ghost_value", { angle: degrees }) });
  }

  // Its name, beyond its tip or, at the right edge, below.
  call(name) {
    const [x, y] = this.tipFrom(this.foot, 25);
    const isWide = x + 19 * name.length > SIZE;
    const anchor = isWide || Math.cos(this.angle) < -0.3 ? "end" : Math.cos(this.angle) > 0.3 ? "start" : "middle";
    set(this.name, { x: isWide ? SIZE - 10 : x, y: y + (isWide ? 52 : 12), "text-anchor": anchor }, name || " ");
    this.arc.setAttribute("d", "");
  }

  // The angle to an arrow of the picture, which has come instead.
  compare([u, v], name) {
    this.call(name);
    const [[x, y], end, radius] = [this.foot, Math.atan2(v, u), 0.7 * ARROW];
    const at = (angle, length) => `${x + length * Math.cos(angle)} ${y + length * Math.sin(angle)}`;
    const turnsLeft = Math.sin(end - this.angle) < 0;
    const arc = `M${at(this.angle, radius)}A${radius} ${radius} 0 0 ${turnsLeft ? 0 : 1} ${at(end, radius)}`;
    this.arc.setAttribute("d", `${arc}M${x} ${y}L${at(end, ARROW)}`);
  }

  touched(place, angle) {
    this.isTouched = true;
    this.move(place, angle);
    this.call(this.say("your_line"));
    this.touch();
  }

  take() {
    this.node.focus({ preventScroll: true });
    this.touched(this.foot, this.angle);
    return { foot: this.foot, angle: this.angle };
  }

  // Says whether it used the key.
  press({ key, shiftKey }) {
    if (!(key in KEYS)) return false;
    const [turn, shift] = KEYS[key].map((size) => (shiftKey ? size / 5 : size));
    const [dx, dy] = [Math.cos(this.angle), Math.sin(this.angle)];
    this.touched([this.foot[0] + shift * dx, this.foot[1] + shift * dy], this.angle + turn * DEGREE);
    return true;
  }
}
