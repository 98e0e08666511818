// Entropy against d_k: the prediction, and a sweep.

import { answer, button, html, matrix, mean, note, path, plane, reading, row, set, svg, text, vector, write } from "../../../book/parts.js";
import { chosenDk, d_ks, dkSlider, draw, nKeys, nQueries } from "./draws.js";

const trials = 4;
const arms = [{ name: "unscaled", scaled: false }, { name: "scaled", scaled: true }];
const variances = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 1024];

export default function curve(figure) {
  figure.tell(
    "Press “sweep”, and watch the experiment run: each point is the mean entropy at one d_k, measured by entropy_sweep. Then slide d_k to read the curve. " +
      "Scaled, it stays beside its prediction; unscaled, the prediction reaches 0 long before the entropy does.",
  );
  let measured = arms.map(() => []); // [d_k, nats], by arm
  let predicted = [];

  const log = Math.log2;
  const chart = plane({
    label: "Mean entropy against d_k", width: 560, height: 290, x: [0, 10], y: [0, 3], margin: { top: 22, bottom: 34 },
    ticks: { x: [1, 4, 16, 64, 256, 1024].map((d_k) => [log(d_k), String(d_k)]), y: [[0, "0"], [1, "1"], [2, "2"], [Math.log(nKeys), `ln ${nKeys}`]] },
    names: { x: "d_k", y: "nats" },
  });
  const marker = chart.add(svg("line", { class: "line thin ink", y1: chart.to.y(3), y2: chart.to.y(0) }));
  const lines = arms.map(({ name }) => ({
    predicted: chart.add(svg("polyline", { class: `line thin dashed ${name}` })),
    measured: chart.add(svg("polyline", { class: `line ${name}` })),
    points: chart.add(svg("g", { "data-points": name })),
    now: chart.add(svg("circle", { class: `knob own ${name}`, r: 6, visibility: "hidden" })),
  }));
  const key = note(...arms.flatMap(({ name }) => [html("strong", { class: `own ${name}` }, name), ", "]), "dashed: predicted_entropy; upright: the chosen d_k");
  const says = arms.map(({ name }) => reading(name));
  const halves = reading("collapse");

  /// The prediction for a variance, from the neighbours that were asked: it is straight between them.
  function foretold(variance) {
    const after = predicted.findIndex(([at]) => at >= variance);
    if (after < 0) return undefined;
    const [[x0, y0], [x1, y1]] = [predicted[Math.max(after - 1, 0)], predicted[after]];
    return x1 === x0 ? y1 : y0 + ((variance - x0) / (x1 - x0)) * (y1 - y0);
  }
  function mark() {
    const d_k = chosenDk();
    set(marker, { x1: chart.to.x(log(d_k)), x2: chart.to.x(log(d_k)) });
    arms.forEach(({ name, scaled }, i) => {
      const nats = measured[i].find(([at]) => at === d_k)?.[1];
      const guess = foretold(scaled ? 1 : d_k);
      set(lines[i].now, { visibility: Number.isFinite(nats) ? "visible" : "hidden", cx: chart.to.x(log(d_k)), cy: chart.to.y(nats || 0) });
      write(says[i], `d_k = ${d_k}, ${name}: entropy ${nats === undefined ? "not measured yet" : text(nats, 3)}, predicted ${guess === undefined ? "–" : text(guess, 3)}.`);
    });
  }
  function show() {
    arms.forEach(({ name, scaled }, i) => {
      const { points, predicted: guess, measured: line } = lines[i];
      set(guess, { points: path(chart, scaled ? [0, 10].map((x) => [x, foretold(1)]) : predicted.map(([variance, nats]) => [log(variance), nats])) });
      set(line, { points: path(chart, measured[i].map(([d_k, nats]) => [log(d_k), nats])) });
      points.replaceChildren(...measured[i].filter(([, nats]) => Number.isFinite(nats)).map(([d_k, nats], k) => svg("circle", { class: `fill ${name}`, style: `--late: ${k}`, r: 2.8, cx: chart.to.x(log(d_k)), cy: chart.to.y(nats) })));
    });
    mark();
  }

  const askPredicted = figure.caller("predicted_entropy", (all) => { predicted = all ? variances.map((variance, i) => [variance, all[i]]) : []; show(); }, { each: true });
  const askCollapse = figure.caller("dk_at_collapse", (d_k) => {
    write(halves, d_k === null || !measured[0].length ? "" : d_k ? `Unscaled, the entropy has fallen to half of its first value at d_k = ${d_k}, says dk_at_collapse.` : "The entropy never falls to half of its first value, says dk_at_collapse.");
  });
  const askSweep = figure.caller("entropy_sweep", (all) => {
    measured = arms.map((_, arm) => (all ? d_ks.map((d_k, k) => [d_k, mean(all.slice(trials * arm, trials * (arm + 1)).map(({ entropies }) => entropies.data[k]))]) : []));
    show();
    write(halves, "");
    const nats = measured[0].map((point) => point[1]);
    if (all && nats.every(Number.isFinite)) askCollapse({ d_ks: [...d_ks], entropies: vector(nats) });
  }, { each: true, shape: () => ({ entropies: [d_ks.length] }) });
  const sweep = () => askSweep(...arms.flatMap(({ scaled }) => Array.from({ length: trials }, (_, trial) => draw(trial + 1)).map(({ Q, K }) => [matrix(Q), matrix(K), [...d_ks], scaled])));

  figure.add(
    dkSlider(figure, mark), answer(chart), key, ...says, halves,
    row(button("sweep", sweep)),
    note(`Each point is the mean of ${trials} draws of ${nQueries} queries and ${nKeys} keys.`),
  );
  show();
  askPredicted(...variances.map((variance) => [nKeys, variance]));
}
