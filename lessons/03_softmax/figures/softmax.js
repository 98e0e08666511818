// Scores as bars to pull, their weights below; and what becomes of both when 1000 is added.

import { bars } from "../../../book/bars.js";
import { matrix, sum, text } from "../../../book/arrays.js";
import { button, column, reading, row, toggle } from "../../../book/controls.js";
import { table } from "../../../book/matrix.js";
import { html, write } from "../../../book/dom.js";

const keys = ["the", "cat", "sleeps", "."];
const start = [0, 2, 1, -1];

export default function softmax(figure) {
  figure.tell(
    "Pull a score up or down. All weights move, because together they stay 1; but the others keep their proportions. " +
      "Then add 1000 to every score: no difference has changed, so no weight should.",
  );
  let scores = [...start];
  let added = 0;

  const upper = bars({
    label: "Scores", each: "score of", names: keys, y: [-5, 5], ticks: [[-5, "−5"], [0, "0"], [5, "5"]], classes: "orange",
    change: (i, value) => { scores[i] = value; draw(); },
  });
  const lower = bars({ label: "Weights", names: keys, y: [0, 1], ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]], digits: 3 });
  const total = reading("sum");
  const naive = table({ caption: "exp(s) / sum of exp(s), computed literally", rows: [[0, 0, 0, 0]], names: { columns: keys }, digits: 3 });
  const naiveNote = html("p", { class: "note", "aria-live": "polite" });

  const ask = figure.caller("softmax_rows", (weights) => {
    lower.show(weights?.data);
    write(total, weights ? `The weights sum to ${text(sum(weights.data), 6)}.` : "No weights.");
  }, { shape: () => [1, keys.length] });

  function draw() {
    const shifted = scores.map((score) => score + added);
    upper.show(scores, shifted.map((score) => text(score, 1)));
    const terms = shifted.map(Math.exp);
    naive.show([terms.map((term) => term / sum(terms))]);
    write(naiveNote, Number.isFinite(sum(terms))
      ? "Here the literal formula works as well."
      : `exp(${text(shifted[1], 1)}) is infinite for a double, and ∞ / ∞ is not a number.`);
    ask(matrix([shifted]));
  }

  const shift = toggle({ label: "add 1000 to all", change: (on) => { added = on ? 1000 : 0; draw(); } });
  const level = button("make all equal", () => { scores = keys.map(() => 0); draw(); });
  const back = button("start again", () => { scores = [...start]; added = 0; shift.put(false); draw(); });
  figure.add(
    row(column(html("p", { class: "note" }, "scores: pull them"), upper.root), column(html("p", { class: "note" }, "softmax_rows of them"), html("div", { class: "answer" }, lower.root), total)),
    row(shift.root, level, back),
    row(column(html("div", { class: "wide" }, naive.root), naiveNote)),
  );
  draw();
}
