// Scores of random queries and keys as two histograms, raw and scaled, while d_k grows.

import { answer, button, deviation, matrix, mean, normal, note, plane, row, set, slider, svg, table, text, write } from "../../../book/parts.js";

const many = 14; // queries, and keys
const longest = 1024;
const edge = 100; // of the axis
const bins = 100;

/// Standard normal numbers, to one digit, so that a question stays small.
function draws(seed) {
  const next = normal(seed);
  const vectors = () => Array.from({ length: many }, () => Array.from({ length: longest }, () => Math.round(10 * next()) / 10));
  return { Q: vectors(), K: vectors() };
}

function histogram(name, classes) {
  const chart = plane({
    label: `Histogram of ${name}`, width: 640, height: 150, x: [-edge, edge], y: [0, 1],
    ticks: { x: [-100, -50, 0, 50, 100].map((value) => [value, text(value, 0)]) }, margin: { left: 14, right: 14, top: 24, bottom: 22 },
  });
  const wide = (2 * edge) / bins;
  const bars = Array.from({ length: bins }, (_, i) =>
    chart.add(svg("rect", { class: `fill ${classes}`, x: chart.to.x(i * wide - edge) + 0.4, width: chart.to.x(wide) - chart.to.x(0) - 0.8 })));
  const marks = [-1, 1].map(() => chart.add(svg("line", { class: "line thin dashed ink", y1: chart.to.y(0), y2: chart.to.y(1) })));
  chart.add(svg("text", { class: `strong own ${classes}`, x: 14, y: 14 }, name));
  const beyond = chart.add(svg("text", { class: "tick", x: chart.width - 14, y: 14, "text-anchor": "end" }));
  const show = (scores, predicted) => {
    const counts = Array(bins).fill(0);
    for (const score of scores ?? []) counts[Math.floor((score + edge) / wide)] += 1; // what lies beyond gets no bar
    const most = Math.max(1, ...counts);
    bars.forEach((bar, i) => set(bar, { y: chart.to.y(counts[i] / most), height: chart.to.y(0) - chart.to.y(counts[i] / most) }));
    marks.forEach((mark, i) => set(mark, { x1: chart.to.x(predicted * (2 * i - 1)), x2: chart.to.x(predicted * (2 * i - 1)) }));
    const out = (scores ?? []).filter((score) => !(score >= -edge && score < edge)).length;
    write(beyond, out > 0 ? `${out} of ${scores.length} are beyond ±${edge}` : "");
  };
  return { root: chart.root, show };
}

export default function spread(figure) {
  figure.tell(
    "Slide d_k from 1 to 1024. These queries and keys are pure chance, and yet the raw scores spread, as far as √d_k (dashed). " +
      "Divided by √d_k, they stay where they are.",
  );
  let seed = 1;
  let { Q, K } = draws(seed);
  let d_k = 4;
  const scores = { raw: null, scaled: null };

  const upper = histogram("raw scores", "unscaled");
  const lower = histogram("scaled scores", "scaled");
  const moments = table({
    caption: `of ${many * many} scores`, rows: [[0, 0, 0], [0, 0, 0]], digits: 2, max: Infinity,
    names: { rows: ["raw", "scaled"], columns: ["mean", "standard deviation", "predicted"] }, roles: { rows: ["unscaled", "scaled"] },
  });

  const cut = (vectors) => matrix(vectors.map((vector) => vector.slice(0, d_k)));
  const shape = () => [many, many];
  const askRaw = figure.caller("raw_scores", (value, [asked]) => { scores.raw = value?.data ?? null; show(asked.shape[1]); }, { shape });
  const askScaled = figure.caller("scaled_scores", (value, [asked]) => { scores.scaled = value?.data ?? null; show(asked.shape[1]); }, { shape });

  function show(components) {
    const root = Math.sqrt(components);
    upper.show(scores.raw, root);
    lower.show(scores.scaled, 1);
    const line = (values, predicted) => (values ? [mean(values), deviation(values), predicted] : [undefined, undefined, predicted]);
    moments.show([line(scores.raw, root), line(scores.scaled, 1)]);
  }
  function draw() {
    askRaw(cut(Q), cut(K));
    askScaled(cut(Q), cut(K));
  }

  const size = slider({
    label: "d_k", min: 0, max: Math.log2(longest), value: Math.log2(d_k), show: (power) => `${2 ** power}, root ${text(2 ** (power / 2))}`,
    change: (power) => { d_k = 2 ** power; draw(); },
  });
  figure.add(
    size, answer(upper), answer(lower), row(answer(moments)),
    row(button("other vectors", () => { ({ Q, K } = draws(++seed)); draw(); })),
    note(`Each of ${many} queries with each of ${many} keys; a larger d_k lengthens the same vectors. The highest bar of each histogram fills its height.`),
  );
  show(d_k);
  draw();
}
