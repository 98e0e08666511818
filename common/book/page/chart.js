// Drawings with axes, and the handles that move what is in them: by mouse, by touch, and by the
// arrow keys.

import { svg, set } from "./dom.js";
import { text } from "./arrays.js";

/// A map from a range of numbers to a range of pixels; .back is the other way.
function scale(from, to, first, last) {
  const map = (value) => first + ((value - from) / (to - from)) * (last - first);
  map.back = (pixel) => from + ((pixel - first) / (last - first)) * (to - from);
  map.from = from;
  map.to = to;
  return map;
}

/// How wide a drawing in a figure may be: as wide as its text, on a phone too, so that letters stay as large.
export const room = () => Math.max(240, document.getElementById("content").clientWidth - (innerWidth < 480 ? 24 : 36));

/// Keeps the letters of a drawing readable where it is drawn smaller than it is.
function readable(root, width) {
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width) root.style.setProperty("--enlarge", Math.max(1, (0.93 * width) / contentRect.width).toFixed(3));
  }).observe(root);
}

/// A drawing of at most width × height pixels, which shrinks to its column. x and y: [from, to] of its axes.
/// ticks: {x: [[value, "text"], …], y: …}. even: a step up is as long as one across, so that angles are true.
export function plane({ label, width = 440, height = 300, even = false, x, y, ticks = {}, names = {}, margin = {} }) {
  width = Math.min(width, room());
  const edge = { left: 40, right: 14, top: 14, bottom: 30, ...margin };
  if (names.y) edge.top = Math.max(edge.top, 28); // the name stands above the highest tick
  if (even) height = edge.top + edge.bottom + ((width - edge.left - edge.right) * (y[1] - y[0])) / (x[1] - x[0]);
  const to = {
    x: scale(x[0], x[1], edge.left, width - edge.right),
    y: scale(y[0], y[1], height - edge.bottom, edge.top),
  };
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "group", "aria-label": label });
  root.style.maxWidth = `${width}px`;
  readable(root, width);
  for (const [value, words] of ticks.x ?? []) {
    root.append(
      svg("line", { class: "gridline", x1: to.x(value), x2: to.x(value), y1: to.y(y[0]), y2: to.y(y[1]) }),
      svg("text", { class: "tick", x: to.x(value), y: height - edge.bottom + 15, "text-anchor": "middle" }, words),
    );
  }
  for (const [value, words] of ticks.y ?? []) {
    root.append(
      svg("line", { class: "gridline", x1: to.x(x[0]), x2: to.x(x[1]), y1: to.y(value), y2: to.y(value) }),
      svg("text", { class: "tick", x: edge.left - 6, y: to.y(value) + 4, "text-anchor": "end" }, words),
    );
  }
  if (names.x) root.append(svg("text", { class: "axis-name", x: width - edge.right, y: height - 2, "text-anchor": "end" }, names.x));
  if (names.y) root.append(svg("text", { class: "axis-name", x: 4, y: edge.top - 14 }, names.y));
  return { root, to, width, height, add: (...children) => (root.append(...children), children[0]) };
}

export const whole = (from, to, step = 1) => {
  const ticks = [];
  for (let value = from; value <= to + 1e-9; value += step) ticks.push([value, text(value, 0)]);
  return ticks;
};

/// An arrow from the origin of a plane; .to(x, y) moves its tip.
export function arrow(plane, classes) {
  const line = svg("line", { class: `arrow ${classes}` });
  const tip = svg("polygon", { class: `tip ${classes}` });
  plane.add(line, tip);
  return {
    to(x, y) {
      const [x0, y0, x1, y1] = [plane.to.x(0), plane.to.y(0), plane.to.x(x), plane.to.y(y)];
      const long = Math.hypot(x1 - x0, y1 - y0) || 1;
      const [ux, uy] = [(x1 - x0) / long, (y1 - y0) / long];
      const back = Math.min(12, long);
      const [bx, by] = [x1 - ux * back, y1 - uy * back];
      set(line, { x1: x0, y1: y0, x2: bx, y2: by });
      set(tip, { points: `${x1},${y1} ${bx - uy * 5},${by + ux * 5} ${bx + uy * 5},${by - ux * 5}` });
    },
  };
}

/// Puts a name beside each of some points: on the side away from their `middle`, or, of the tips of two arrows, on
/// the side away from the other arrow. None is put onto another.
export function putNames(plane, names, points, middle = null) {
  const taken = [];
  points.forEach(([x, y], i) => {
    const [ox, oy] = middle ?? points[1 - i];
    const aside = middle ? 0 : x * oy - y * ox > 0 || (x * oy === y * ox && i > 0) ? -0.9 : 0.9;
    const way = aside + (middle ? Math.atan2(y - oy, x - ox) : Math.atan2(y, x));
    const at = { x: plane.to.x(x) + 22 * Math.cos(way), y: plane.to.y(y) - 22 * Math.sin(way) + 5 };
    const wide = 9 * names[i].textContent.length + 5;
    while (taken.some((other) => Math.abs(other.x - at.x) < wide && Math.abs(other.y - at.y) < 15)) at.x += 4;
    taken.push(at);
    set(names[i], at);
  });
}

/// A handle in a plane. move(x, y) gets the place that it is pulled to, and decides; .at(x, y) puts
/// it there. along: "both", or "y" for one that only goes up and down.
export function handle(plane, { label, move, along = "both", step = 0.1, classes = "", shape = "circle", says = (x, y) => `${text(x)}, ${text(y)}` }) {
  const mark =
    shape === "circle"
      ? svg("circle", { class: "knob", r: 7 })
      : svg("rect", { class: "knob", x: -22, y: -5, width: 44, height: 10, rx: 5 });
  const group = svg("g", { class: `handle ${shape} ${classes}`, tabindex: 0, role: "slider", "aria-label": label }, svg("circle", { class: "reach", r: 20 }), mark);
  plane.add(group);
  const { to } = plane;
  let place = [0, 0];
  const clamp = (axis, value) => Math.min(Math.max(value, Math.min(axis.from, axis.to)), Math.max(axis.from, axis.to));
  const pull = (x, y) => move(along === "y" ? place[0] : clamp(to.x, x), clamp(to.y, y));
  const snapped = (value) => Math.round(value / step) * step;
  group.addEventListener("pointerdown", (event) => {
    group.setPointerCapture(event.pointerId);
    group.focus({ preventScroll: true });
    event.preventDefault();
  });
  group.addEventListener("pointermove", (event) => {
    if (!group.hasPointerCapture(event.pointerId)) return;
    const box = plane.root.getBoundingClientRect();
    pull(
      snapped(to.x.back(((event.clientX - box.left) * plane.width) / box.width)),
      snapped(to.y.back(((event.clientY - box.top) * plane.height) / box.height)),
    );
  });
  group.addEventListener("keydown", (event) => {
    const by = step * (event.shiftKey ? 10 : 1);
    const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by], PageUp: [0, 10 * by], PageDown: [0, -10 * by] };
    const ends = along === "y" ? { Home: [0, to.y.from], End: [0, to.y.to] } : { Home: [to.x.from, place[1]], End: [to.x.to, place[1]] };
    const way = moves[event.key];
    if (!way && !ends[event.key]) return;
    event.preventDefault();
    if (!way) return pull(...ends[event.key]);
    const [dx, dy] = along === "y" ? [0, way[0] + way[1]] : way;
    pull(snapped(place[0] + dx), snapped(place[1] + dy));
  });
  return {
    root: group,
    at(x, y) {
      place = [x, y];
      set(group, {
        transform: `translate(${to.x(x)} ${to.y(y)})`,
        "aria-valuetext": says(x, y),
        "aria-valuenow": along === "y" ? y.toFixed(3) : x.toFixed(3),
        "aria-valuemin": along === "y" ? to.y.from : to.x.from,
        "aria-valuemax": along === "y" ? to.y.to : to.x.to,
      });
    },
  };
}

/// A polyline's points, without those that are not numbers.
export const path = (plane, points) =>
  points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)).map(([x, y]) => `${plane.to.x(x).toFixed(1)},${plane.to.y(y).toFixed(1)}`).join(" ");
