// Upright bars over the names of keys: some that can be pulled, some that only show an answer.

import { svg, set, write } from "./dom.js";
import { handle, plane, room } from "./chart.js";
import { text } from "./arrays.js";

/// names: one for each bar. y: [from, to]. change(i, value) makes them pullable. .show(values,
/// labels) draws; null stands for no answer.
export function bars({ label, names, y, ticks, height = 190, change = null, step = 0.1, classes = "blue", digits = 2, each = "" }) {
  const width = Math.min(Math.max(260, 74 * names.length + 54), room());
  const chart = plane({ label, width, height, x: [0, names.length], y, ticks: { y: ticks }, margin: { bottom: 24, top: 18 } });
  const { to } = chart;
  const base = to.y(Math.max(y[0], Math.min(0, y[1])));
  const wide = Math.min(44, 0.8 * (to.x(1) - to.x(0)));
  const drawn = names.map((name, i) => {
    const middle = to.x(i + 0.5);
    const bar = chart.add(svg("rect", { class: `fill half ${classes}`, x: middle - wide / 2, width: wide }));
    const number = chart.add(svg("text", { class: "strong", x: middle, "text-anchor": "middle", "data-value": name }));
    chart.add(svg("text", { class: "tick", x: middle, y: height - 7, "text-anchor": "middle" }, name));
    return { bar, number, middle };
  });
  chart.add(svg("line", { class: "line thin faint", x1: to.x(0), x2: to.x(names.length), y1: base, y2: base }));
  const knobs = change
    ? names.map((name, i) =>
        handle(chart, { label: `${each || label} ${name}`, along: "y", shape: "bar", step, classes, says: (_, value) => text(value, digits), move: (_, value) => change(i, value) }))
    : [];
  const show = (values, labels = null) =>
    drawn.forEach(({ bar, number, middle }, i) => {
      const value = values ? values[i] : undefined;
      const finite = Number.isFinite(value);
      const top = finite ? to.y(Math.min(Math.max(value, y[0]), y[1])) : base;
      set(bar, { y: Math.min(top, base), height: Math.abs(top - base) });
      write(number, labels ? labels[i] : value === undefined ? "–" : text(value, digits));
      const low = Math.max(top, base) + 17; // under a bar, but not on its name
      set(number, { y: value >= 0 || !finite ? Math.min(top, base) - (change ? 13 : 5) : low > height - 21 ? low - 27 : low, class: finite || value === undefined ? "strong" : "strong own red" });
      if (finite) knobs[i]?.at(i + 0.5, Math.min(Math.max(value, y[0]), y[1]));
    });
  return { root: chart.root, show };
}
