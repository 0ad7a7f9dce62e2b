// How an update moves: the ring pulses, y·x lifts off its point and slides to the tip of w, the new w grows out of the
// sum, and the line swings until it is at right angles to it. At rest, w and y·x stand ready for that.

import { SIZE, arrow, draw, set, show, write } from "./drawing.js";
import { mistakes } from "./model.js";
import { smooth } from "./stage.js";

const PARTS = { lift: [0, 0.3], slide: [0.1, 0.48], grow: [0.46, 0.64], swing: [0.58, 1] }; // shares of that time
const LONGEST = 230; // of the arrows of a step, in picture units
const NEAR = 60; // a name this near to a point is hard to read, if there are not so many points that all are small

const along = (place, way, share = 1) => place.map((value, i) => value + share * way[i]);
const from = (place, other) => other.map((value, i) => value - place[i]);
const mix = (first, second, share) => along(first, from(first, second), share);
const apart = (place, other) => Math.hypot(...from(place, other));
const hasLine = (w) => w[1] !== 0 || w[2] !== 0;

// How far a part of the movement has come, at a share of the whole time.
const progress = ([begin, end], share) => smooth(Math.min(Math.max((share - begin) / (end - begin), 0), 1));

// A w on the straight way to the next one. All of their lines go through one point, about which the line turns evenly.
function onTheWay(plane, w, next, share) {
  const [[u, v], to] = [w, next].map((each) => plane.pixels(each.slice(1)));
  const begin = Math.atan2(v, u);
  const turn = ((Math.atan2(to[1], to[0]) - begin + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  if (Math.abs(turn) < 0.001 || !hasLine(w) || !hasLine(next)) return mix(w, next, share);
  const [across, down] = [Math.cos(begin + share * turn), Math.sin(begin + share * turn)];
  const part = (v * across - u * down) / ((to[0] - u) * down - (to[1] - v) * across);
  return mix(w, next, Math.min(Math.max(part, 0), 1));
}

// The place on a line that is nearest to another place.
function nearest(place, ends) {
  const [line, way] = [from(...ends), from(ends[0], place)];
  return along(ends[0], line, (line[0] * way[0] + line[1] * way[1]) / (line[0] ** 2 + line[1] ** 2));
}

const nameAt = (foot, vector) => along(foot, vector, 1 + 30 / Math.hypot(...vector));

// The arrows of a step in the plane, at one scale: w at its line, and η y x at the example that is corrected next.
export class Update {
  constructor(plane, say) {
    Object.assign(this, { plane, say });
    const layer = (tag, name) => draw(plane.svg, tag, { class: name, "text-anchor": "middle" });
    this.origin = layer("circle", "origin");
    this.before = layer("g", "arrow before");
    this.step = layer("g", "arrow step");
    this.pulse = layer("circle", "ring pulse");
    this.stepName = layer("text", "halo pick");
    this.noLine = layer("text", "halo none");
    plane.svg.append(plane.arrow, plane.arrowName, plane.pickName); // above these
  }

  // w from a foot on its line, or from the origin; y·x so that it leads to a +, or away from a −, if there is room.
  layout({ problem, weights, picks }, t) {
    const [{ plane }, { X, y, eta }, n] = [this, problem, picks[t]];
    const vectors = [weights[t].slice(1), n === undefined ? [0, 0] : X[n].map((value) => eta * y[n] * value)];
    const [w, step] = vectors.map((vector) => plane.pixels(vector));
    const scale = LONGEST / (Math.max(...[w, step, along(w, step)].map((each) => Math.hypot(...each))) || 1);
    const [own, added] = [w, step].map((each) => along([0, 0], each, scale));
    const ends = plane.ends(weights[t]);
    const foot = ends.length ? this.foot(ends, own) : this.middle();
    const point = n === undefined ? foot : plane.place(X[n]);
    const places = [point, along(point, added, -1)];
    if (y[n] > 0) places.reverse();
    const isInside = (place) => [...place, ...along(place, added)].every((value) => value >= 0 && value <= SIZE);
    const start = places.find(isInside) ?? places[0];
    const avoid = [0.25, 0.5, 0.75].map((share) => along(start, added, share));
    return { foot, own, added, point, start, avoid, ends };
  }

  // The place of the plane's own origin, unless it is near the edge.
  middle() {
    const place = this.plane.place([0, 0]);
    return place.every((value) => value > 150 && value < SIZE - 150) ? place : [SIZE / 2, SIZE / 2];
  }

  // A place on the line, the middle if possible, from where the arrow stays in the picture and its name off the points.
  foot(ends, own) {
    const points = this.plane.places();
    const near = NEAR * Math.min(1, Math.sqrt(60 / points.length));
    const choices = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9].map((share) => {
      const foot = mix(...ends, share);
      const name = nameAt(foot, own);
      const fits = name.every((value) => value > 30 && value < SIZE - 30);
      return { foot, room: fits ? Math.min(near, ...points.map((point) => apart(point, name))) : -1 };
    });
    return choices.reduce((best, each) => (each.room > best.room ? each : best)).foot;
  }

  drawW(foot, vector) {
    const [x, y] = nameAt(foot, vector);
    arrow(this.plane.arrow, foot, along(foot, vector), 8);
    show(this.plane.arrowName, Number.isFinite(x));
    if (Number.isFinite(x)) set(this.plane.arrowName, { x, y: y + 12 });
  }

  // Where no line is, say so beside the origin, on the side that has more room.
  sayNoLine(w, { foot, own, start, added, ends }) {
    set(this.origin, { cx: foot[0], cy: foot[1], r: ends.length ? 0 : 9, opacity: 1 });
    const arrows = [0.3, 0.6, 1].flatMap((share) => [along(foot, own, share), along(start, added, share)]);
    const gap = ([u, v], down) => Math.hypot(Math.max(Math.abs(u - foot[0]) - 150, 0), v - foot[1] - down);
    const room = (down) => Math.min(25, ...[...arrows, ...this.plane.places()].map((place) => gap(place, down)));
    const down = [48, -48, 100, -100].reduce((best, each) => (room(each) > room(best) ? each : best));
    set(this.noLine, { x: foot[0], y: foot[1] + down + 12 });
    const id = hasLine(w) ? "line_outside" : w[0] ? "no_line_here" : "zero_here";
    write(this.noLine, ends.length ? "" : this.say(id));
  }

  rest(run, t, selected) {
    const at = this.layout(run, t);
    this.plane.setRings(mistakes(run.weights[t], run.problem), { pick: run.picks[t], selected, avoid: at.avoid });
    this.plane.setLine("g", run.weights[t]);
    this.plane.plus.setAttribute("opacity", 1);
    this.drawW(at.foot, at.own);
    arrow(this.step, at.start, along(at.start, at.added), 6);
    arrow(this.before, at.foot, at.foot, 6);
    this.step.setAttribute("opacity", 1);
    this.stepName.textContent = "";
    show(this.pulse, false);
    this.sayNoLine(run.weights[t], at);
  }

  // A function that draws how step t comes to the next one, at a share of the time.
  way(run, t) {
    const [at, then, { plane }] = [this.layout(run, t), this.layout(run, t + 1), this];
    const [[w, next], pick] = [run.weights.slice(t, t + 2), run.picks[t]];
    const sum = along(at.own, at.added);
    write(this.stepName, run.problem.eta === 1 ? "y·x" : "η·y·x");
    this.noLine.textContent = "";
    return (share) => {
      const [lift, slide, grow, swing] = Object.values(PARTS).map((part) => progress(part, share));
      const now = onTheWay(plane, w, next, swing);
      const ends = plane.setLine("g", now, "g", (hasLine(w) ? 1 : swing) * (hasLine(next) ? 1 : 1 - swing));
      plane.setRings(mistakes(now, run.problem), { pick, avoid: at.avoid });
      plane.setRegions(now, run.problem.signOfZero);
      plane.plus.setAttribute("opacity", hasLine(w) ? 1 : swing);
      const [cx, cy] = at.point;
      set(this.pulse, { cx, cy, r: 32 + 60 * lift, opacity: 1 - lift, visibility: "visible" });
      this.drawStep(mix(at.start, along(at.foot, at.own), slide), at);
      for (const node of [this.step, this.stepName, this.before, this.origin]) node.setAttribute("opacity", 1 - swing);
      if (grow === 0) return this.drawW(at.foot, at.own);
      arrow(this.before, at.foot, along(at.foot, at.own), 6);
      const foot = mix(at.foot, then.foot, swing);
      const grown = mix(along([0, 0], sum, grow), then.own, swing);
      return this.drawW(ends.length && swing > 0 ? nearest(foot, ends) : foot, grown);
    };
  }

  // y·x at a place on its way, its name on the side where w is not.
  drawStep(place, { own, added: [u, v] }) {
    arrow(this.step, place, along(place, [u, v]), 6);
    const side = (v * own[0] - u * own[1] < 0 ? -40 : 40) / (Math.hypot(u, v) || 1);
    const [x, y] = along(along(place, [u, v], 0.5), [v, -u], side);
    set(this.stepName, { x, y: y + 12 });
  }
}
