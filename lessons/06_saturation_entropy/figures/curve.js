// Entropy against d_k: the prediction, and a sweep that adds one point after the other.

import { answer, button, html, matrix, mean, note, path, plane, reading, row, set, svg, text, vector, write } from "../../../book/parts.js";
import { chosenDk, d_ks, dkSlider, draw, firstOf, nKeys, nQueries } from "./draws.js";
import { series } from "./series.js";

const trials = 4;
const arms = [{ name: "unscaled", scaled: false }, { name: "scaled", scaled: true }];
const variances = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 1024];

/// For each d_k, for each arm, for each trial: one call of entropy_sweep.
function questionsOf() {
  const draws = Array.from({ length: trials }, (_, trial) => draw(trial + 1));
  return d_ks.flatMap((d_k) => {
    const cut = draws.map(({ Q, K }) => [matrix(firstOf(Q, d_k)), matrix(firstOf(K, d_k)), [d_k]]);
    return arms.flatMap(({ scaled }) => cut.map((asked) => [...asked, scaled]));
  });
}

export default function curve(figure) {
  figure.tell(
    "Press “sweep”, and watch the experiment run: each point is the mean entropy at one d_k, measured by entropy_sweep. Then slide d_k to read the curve. " +
      "Scaled, it stays beside its prediction; unscaled, the prediction reaches 0 long before the entropy does.",
  );
  const measured = arms.map(() => []); // [d_k, nats], by arm
  let predicted = [];
  let questions = null;

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
      points.replaceChildren(...measured[i].filter(([, nats]) => Number.isFinite(nats)).map(([d_k, nats]) => svg("circle", { class: `fill ${name}`, r: 2.8, cx: chart.to.x(log(d_k)), cy: chart.to.y(nats) })));
    });
    mark();
  }

  const predictions = series(figure, "predicted_entropy", {
    questions: variances.map((variance) => [nKeys, variance]),
    restart: () => { predicted = []; show(); },
    take: (_, nats, [, variance]) => { predicted.push([variance, nats]); show(); },
  });
  const askCollapse = figure.caller("dk_at_collapse", (d_k, [asked]) => {
    const whole = asked.entropies.data.length === measured[0].length;
    write(halves, d_k === null || !whole ? "" : d_k ? `Unscaled, the entropy has fallen to half of its first value at d_k = ${d_k}, says dk_at_collapse.` : "The entropy never falls to half of its first value, says dk_at_collapse.");
  });

  let sums = [];
  let sweep = null;
  let running = false;
  const turn = (on) => { running = on; write(press, on ? "stop" : "sweep"); };
  const start = () => {
    questions ??= questionsOf();
    sweep ??= series(figure, "entropy_sweep", {
      questions,
      shape: () => ({ entropies: [1] }),
      restart: () => { turn(true); sums = []; measured.forEach((points) => points.splice(0)); write(halves, ""); show(); },
      take: (index, value, [, , [d_k], scaled]) => {
        sums.push(value.entropies.data[0]);
        if (sums.length < trials) return;
        measured[scaled ? 1 : 0].push([d_k, mean(sums)]);
        sums = [];
        show();
      },
      end: (whole) => {
        turn(false);
        if (whole && measured[0].every(([, nats]) => Number.isFinite(nats))) askCollapse({ d_ks: [...d_ks], entropies: vector(measured[0].map(([, nats]) => nats)) });
      },
    });
    sweep.begin();
  };
  const press = button("sweep", () => (running ? sweep.stop() : start()));

  figure.add(
    dkSlider(figure, mark), answer(chart), key, ...says, halves,
    row(press),
    note(`Each point is the mean of ${trials} draws of ${nQueries} queries and ${nKeys} keys.`),
  );
  show();
  predictions.begin();
}
