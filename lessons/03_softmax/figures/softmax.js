// Scores as bars to pull, their weights below; and what becomes of both when 1000 is added.

import { answer, bars, button, choice, column, matrix, note, panel, reading, row, rowsOf, set, sum, table, text, toggle, wide, write } from "../../../book/parts.js";

const words = ["the", "cat", "sleeps", "."];
export const shows = { softmax_rows: ({ shape }) => shape.every((size) => size > 0 && size <= 8) };

export default function softmax(figure) {
  figure.tell(
    "Pull a score up or down. All weights move, because together they stay 1; but the others keep their proportions. " +
      "Then add 1000 to every score: no difference has changed, so no weight should.",
  );
  const input = figure.given("softmax_rows");
  const [given] = input ?? [matrix([[0, 2, 1, -1]])];
  const scores = rowsOf(given);
  const keys = scores[0].map((_, j) => (input ? `key ${j}` : words[j]));
  const queries = scores.map((_, i) => `row ${i}`);
  let at = 0; // the row that the bars show
  let added = 0;

  const upper = bars({
    label: "Scores", each: "score of", names: keys, y: [-5, 5], ticks: [[-5, "−5"], [0, "0"], [5, "5"]], classes: "scores",
    change: (i, value) => { scores[at][i] = value; draw(); },
  });
  const lower = bars({ label: "Weights", names: keys, y: [0, 1], ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]], digits: 3, classes: "weights" });
  const total = reading("sum");
  const whole = table({ caption: "softmax_rows of all rows", rows: scores, digits: 3, role: "weights", names: { rows: queries, columns: keys } });
  const naive = table({ caption: "exp(s) / sum of exp(s), computed literally", rows: [scores[0]], names: { columns: keys }, digits: 3 });
  const naiveNote = set(note(), { "aria-live": "polite" });

  const ask = figure.caller("softmax_rows", (answer) => {
    const weights = answer && rowsOf(answer);
    whole.show(weights);
    lower.show(weights?.[at]);
    write(total, weights ? `The weights sum to ${text(sum(weights[at]), 6)}.` : "No weights.");
  }, { shape: () => given.shape });

  function draw() {
    const shifted = scores.map((row) => row.map((score) => score + added));
    upper.show(scores[at], shifted[at].map((score) => text(score, 1)));
    const terms = shifted[at].map(Math.exp);
    naive.show([terms.map((term) => term / sum(terms))]);
    write(naiveNote, Number.isFinite(sum(terms) / sum(terms))
      ? "Here the literal formula works as well."
      : sum(terms) > 0 ? `exp(${text(Math.max(...shifted[at]), 1)}) is infinite for a double, and ∞ / ∞ is not a number.`
        : "Every exp is 0 for a double, and 0 / 0 is not a number.");
    ask(matrix(shifted));
  }

  const shift = toggle({ label: "add 1000 to all", change: (on) => { added = on ? 1000 : 0; draw(); } });
  const level = button("make all equal", () => { scores[at].fill(0); draw(); });
  const which = choice({ label: "the bars show", options: queries.map((name, i) => [i, name]), value: at, change: (i) => { at = i; draw(); } });
  figure.add(
    scores.length > 1 ? row(which) : null,
    row(panel("scores: pull them", upper), panel("softmax_rows of them", answer(lower), total)),
    scores.length > 1 ? row(answer(whole)) : null,
    row(shift, level),
    row(column(wide(naive), naiveNote)),
  );
  draw();
}
