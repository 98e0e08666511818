// Values as points of a plane, and the output: their mixture, inside their hull.

import { answer, bars, button, column, handle, matrix, note, plane, putNames, reading, row, set, softmax, sum, svg, text, whole, write } from "../../../book/parts.js";

const words = ["the", "cat", "sleeps"];
const point = (x, y, digits) => `[ ${text(x, digits)}  ${text(y, digits)} ]`;

export default function hull(figure) {
  figure.tell(
    "Pull the values, and pull the scores that make their weights. Wherever you put them, the output stays inside the triangle. " +
      "When one weight is nearly 1, it is that value.",
  );
  let scores = [0, Math.SQRT1_2, 0]; // of “the”
  let values = [[0, 0], [4, 2], [0, 4]];

  const chart = plane({
    label: "Values as points, and the output inside their hull", width: 360, height: 340, x: [-1, 6], y: [-1, 6],
    ticks: { x: whole(-1, 6), y: whole(-1, 6) }, names: { x: "first number", y: "second" }, margin: { left: 30, right: 10, top: 18, bottom: 32 },
  });
  const inside = chart.add(svg("polygon", { class: "soft v", style: "stroke: var(--v); stroke-width: 1.2px" }));
  const pulls = words.map(() => chart.add(svg("line", { class: "line weights" })));
  const named = words.map((word) => chart.add(svg("text", { class: "strong own v", "text-anchor": "middle" }, word)));
  const knobs = words.map((word, i) =>
    handle(chart, { label: `value of ${word}`, classes: "v", says: (x, y) => `${text(x, 1)}, ${text(y, 1)}`, move: (x, y) => { values[i] = [x, y]; draw(); } }));
  const output = chart.add(svg("circle", { class: "fill output", r: 8, "pointer-events": "none" }));
  const upper = bars({
    label: "Scores", each: "score of", names: words, y: [-5, 5], ticks: [[-5, "−5"], [0, "0"], [5, "5"]], height: 150, classes: "scores",
    change: (i, value) => { scores[i] = value; draw(); },
  });
  const lower = bars({ label: "Weights", names: words, y: [0, 1], ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]], height: 130, digits: 3, classes: "weights" });
  const says = reading("output");

  const ask = figure.caller("aggregate", (answer, [weights, V]) => {
    const at = answer?.data;
    const finite = at?.every(Number.isFinite);
    const within = finite && at.every((number) => number >= -1.5 && number <= 6.5);
    for (const each of [output, ...pulls]) set(each, { visibility: within ? "visible" : "hidden" });
    if (within) {
      const [x, y] = [chart.to.x(at[0]), chart.to.y(at[1])];
      set(output, { cx: x, cy: y });
      pulls.forEach((pull, i) => set(pull, { x1: x, y1: y, x2: chart.to.x(V.data[2 * i]), y2: chart.to.y(V.data[2 * i + 1]), style: `stroke-opacity: 0.5; stroke-width: ${10 * weights.data[i]}px` }));
    }
    const terms = weights.data.map((weight, i) => `${text(weight, 3)} · ${point(V.data[2 * i], V.data[2 * i + 1], 1)}`);
    write(says, at ? `${terms.join(" + ")} = ${point(at[0], at[1], 3)}${finite && !within ? ", which lies outside of this drawing." : ""}` : "");
  }, { shape: () => [1, 2] });

  function draw() {
    const weights = softmax(scores);
    const middle = [0, 1].map((axis) => sum(values.map((value) => value[axis])) / words.length);
    values.forEach((value, i) => knobs[i].at(...value));
    putNames(chart, named, values, middle);
    set(inside, { points: values.map(([x, y]) => `${chart.to.x(x)},${chart.to.y(y)}`).join(" ") });
    upper.show(scores);
    lower.show(weights);
    ask(matrix([weights]), matrix(values));
  }

  const put = (next) => { ({ scores, values } = { scores, values, ...next }); draw(); };
  figure.add(
    row(column(answer(chart)), column(note("scores: pull them"), upper, note("weights: the softmax of the scores"), lower)),
    answer(says),
    row(
      button("all scores equal", () => put({ scores: [0, 0, 0] })),
      button("one far ahead", () => put({ scores: [-5, 5, -5] })),
      button("values on one line", () => put({ values: [[0, 1], [2, 2], [4, 3]] })),
    ),
  );
  draw();
}
