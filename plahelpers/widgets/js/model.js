// The lecture's arithmetic. Each sum of a run is added up in the order of plahelpers/_loops.py, so that the page and
// Python agree on runs to the last bit. A problem is { X, y, start, eta, signOfZero, maxUpdates } with a `cycle` of
// example numbers or with `draws`.

// wᵀx, with x₀ = +1.
export function score(w, x) {
  let total = w[0];
  for (let i = 0; i < x.length; i += 1) total += w[i + 1] * x[i];
  return total;
}

// Is sign(wᵀx) ≠ y?
export function isMistake(w, x, y, signOfZero) {
  const s = score(w, x);
  return s === 0 ? y !== signOfZero : s > 0 !== y > 0;
}

// The numbers of the examples that w gets wrong, in order.
export function mistakes(w, { X, y, signOfZero }) {
  const wrong = [];
  for (let n = 0; n < y.length; n += 1) if (isMistake(w, X[n], y[n], signOfZero)) wrong.push(n);
  return wrong;
}

// w + η y x.
export function correct(w, x, y, eta) {
  const step = eta * y;
  return [w[0] + step, ...x.map((value, i) => w[i + 1] + step * value)];
}

// PLA: pass over the cycle and correct each mistake, until a whole cycle is clean or the updates are spent.
export function pla(problem) {
  const { X, y, cycle, start, eta, signOfZero, maxUpdates } = problem;
  const [weights, picks] = [[start], []];
  let [w, clean, visits, place] = [start, 0, 0, 0];
  while (clean < cycle.length) {
    const n = cycle[place];
    place = (place + 1) % cycle.length;
    visits += 1;
    if (!isMistake(w, X[n], y[n], signOfZero)) clean += 1;
    else if (picks.length === maxUpdates) break;
    else {
      w = correct(w, X[n], y[n], eta);
      weights.push(w);
      picks.push(n);
      clean = 0;
    }
  }
  return { problem, weights, picks, visits, halted: clean === cycle.length };
}

// Pocket: walk as PLA does, count the mistakes of every w, and remember which was the first with the fewest. The next
// mistake is that of the cycle, or the one that the next draw from [0, 1) picks among all.
export function pocket(problem) {
  const { X, y, cycle, draws, start, eta, signOfZero, maxUpdates } = problem;
  let [w, wrong, place, visits] = [start, mistakes(start, problem), 0, y.length];
  const [weights, picks, errors] = [[start], [], [wrong.length]];
  while (wrong.length && picks.length < maxUpdates) {
    let n = draws && wrong[Math.floor(draws[picks.length] * wrong.length)];
    if (!draws) {
      for (n = -1; n < 0; place = (place + 1) % cycle.length, visits += 1) {
        if (isMistake(w, X[cycle[place]], y[cycle[place]], signOfZero)) n = cycle[place];
      }
    }
    w = correct(w, X[n], y[n], eta);
    wrong = mistakes(w, problem);
    visits += y.length;
    weights.push(w);
    picks.push(n);
    errors.push(wrong.length);
  }
  return { problem, weights, picks, errors, visits, halted: wrong.length === 0, bestAt: bestAt(errors, picks.length) };
}

// The run that has made these picks.
export function replay(problem, picks) {
  const { X, y, start, eta } = problem;
  const weights = [start];
  for (const n of picks) weights.push(correct(weights[weights.length - 1], X[n], y[n], eta));
  return { problem, weights, picks, halted: mistakes(weights[picks.length], problem).length === 0 };
}

// Which of w₀, …, w_t is in the pocket: the first with the fewest mistakes.
export function bestAt(errors, t) {
  let best = 0;
  for (let k = 1; k <= t; k += 1) if (errors[k] < errors[best]) best = k;
  return best;
}

// --- the plane -------------------------------------------------------------------------------------------------

export function corners({ left, right, bottom, top }) {
  return [[left, bottom], [right, bottom], [right, top], [left, top]];
}

// The part of a convex polygon where wᵀx > 0, as its corners in order.
export function halfPlane(polygon, w) {
  const largest = Math.max(...w.map(Math.abs)) || 1; // the line is the same for w of this size, and nothing overflows
  const values = polygon.map((x) => score(w.map((entry) => entry / largest), x));
  return polygon.flatMap((corner, k) => {
    const [before, here] = [values.at(k - 1), values[k]];
    const [from, share] = [polygon.at(k - 1), before / (before - here)];
    const crossing = before > 0 !== here > 0 ? [from.map((value, i) => value + share * (corner[i] - value))] : [];
    return here > 0 ? [...crossing, corner] : crossing;
  });
}

// The two ends of the line wᵀx = 0 in a box; nothing if it is not there.
export function lineInBox(w, box) {
  if (!w[1] && !w[2]) return [];
  const whole = corners(box);
  return halfPlane(whole, w).filter((point) => !whole.includes(point));
}

// The angle between two vectors of the plane in degrees, from 0 to 180; NaN if one of them is 0.
export function angle([v1, v2], [w1, w2]) {
  if (!(v1 || v2) || !(w1 || w2)) return NaN;
  return (Math.atan2(Math.abs(v1 * w2 - v2 * w1), v1 * w1 + v2 * w2) * 180) / Math.PI;
}

export function area(polygon) {
  let twice = 0;
  polygon.forEach(([x, y], k) => {
    const [nextX, nextY] = polygon[(k + 1) % polygon.length];
    twice += x * nextY - y * nextX;
  });
  return Math.abs(twice) / 2;
}

// On which share of the box do two perceptrons answer differently?
export function disagreement(w, v, box) {
  const whole = corners(box);
  const yes = halfPlane(whole, w);
  const onlyOne = area(yes) + area(halfPlane(whole, v)) - 2 * area(halfPlane(yes, v));
  return Math.min(Math.max(onlyOne / area(whole), 0), 1);
}

// --- the proof -------------------------------------------------------------------------------------------------

const dot = (v, w) => v.reduce((total, value, i) => total + value * w[i], 0);
const norm = (v) => Math.sqrt(dot(v, v));

// R, the farthest example from the origin, x₀ counted; and ρ, the smallest y w_fᵀx / ‖w_f‖.
export const radius = ({ X }) => Math.max(...X.map((x) => norm([1, ...x])));
export const margin = (w, { X, y }) => Math.min(...X.map((x, n) => y[n] * score(w, x))) / norm(w);

// What each line of the proof measures along a run from w₀ = 0 with η = 1, and its bound.
export function proof(run, wF) {
  const [R, rho, length] = [radius(run.problem), margin(wF, run.problem), norm(wF)];
  const squares = run.weights.map((w) => dot(w, w));
  const inner = run.weights.map((w) => dot(wF, w));
  const t = run.weights.map((_, k) => k);
  const leastCosine = (k) => (Math.sqrt(k) * rho) / R;
  return {
    R, rho, bound: (R * R) / (rho * rho),
    lines: [
      { measured: inner, bound: t.map((k) => k * rho * length) },
      { measured: squares, bound: t.map((k) => k * R * R) },
      { measured: inner.map((value, k) => value / Math.sqrt(squares[k]) / length), bound: t.map(leastCosine) },
    ],
  };
}

// The points, each moved straight to or from the target's line, so that its margin is rho: `points_with_margin`.
export function withMargin({ X, y }, { wF, length, farthest }, rho) {
  const distance = X.map((x, n) => y[n] * score(wF, x));
  const [least, nearest] = [Math.min(...distance), rho * length];
  return X.map((x, n) => {
    const wanted = nearest + ((distance[n] - least) * (farthest - nearest)) / (farthest - least);
    const step = y[n] * (wanted - distance[n]);
    return x.map((value, i) => value + step * wF[i + 1]);
  });
}
