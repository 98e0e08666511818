// What is known of some keys and of the others, and merge, which makes one of the two.

import { answer, bars, panel, reading, row, slider, sum, table, text, toggle, vector, write } from "../../../book/parts.js";

const values = [1, 2, 3, 4, 5, 6]; // one component each
const names = values.map((value) => `v = ${value}`);

/// What a query knows after these scores and values.
function partial(scores, of) {
  const maximum = Math.max(...scores); // −∞ without any
  const terms = scores.map((score) => Math.exp(score - maximum));
  return { maximum, sum: sum(terms), output: vector([sum(terms.map((term, j) => term * of[j]))]) };
}

export default function halves(figure) {
  figure.tell(
    "Slide the cut: a knows the keys before it, b those after it, each measured from its own maximum. Wherever it is cut, merge gives what all keys give at once. " +
      "Pull a score of b above those of a, and see by what a is multiplied: nothing of a is computed anew. Then add 1000 to all.",
  );
  const scores = [1, 3, -1, 0, 2, -2];
  let added = 0;
  let cut = 3;

  const upper = bars({
    label: "Scores", each: "score of the key with", names, y: [-5, 5], ticks: [[-5, "−5"], [0, "0"], [5, "5"]], classes: "scores",
    change: (j, value) => { scores[j] = value; draw(); },
  });
  const known = table({
    caption: "what the query knows", rows: Array.from({ length: 4 }, () => [0, 0, 0, 0]), digits: 3, max: Infinity,
    names: { rows: ["a", "b", "merge(a, b)", "all at once"], columns: ["maximum", "sum", "output", "output / sum"] }, roles: { columns: ["scores", "weights", "output", "output"] },
  });
  const says = reading("factors");
  const line = ({ maximum, sum: total, output }) => [maximum, total, output.data[0], total > 0 ? output.data[0] / total : undefined];

  const ask = figure.caller("merge", (value, [a, b]) => {
    known.show([line(a), line(b), value ? line(value) : [], line(partial(scores.map((score) => score + added), values))]);
    const most = Math.max(a.maximum, b.maximum);
    const by = (side) => text(Math.exp(side.maximum - most), 4);
    write(says, `The larger maximum is ${text(most, 1)}. To be measured from it, a's sum and output are multiplied by ${by(a)}, b's by ${by(b)}.`);
  }, { shape: () => ({ output: [1] }) });

  function draw() {
    const shifted = scores.map((score) => score + added);
    upper.show(scores, shifted.map((score) => text(score, 1)));
    ask(partial(shifted.slice(0, cut), values.slice(0, cut)), partial(shifted.slice(cut), values.slice(cut)));
  }

  const where = slider({ label: "keys of a", min: 0, max: values.length, value: cut, show: (now) => `${now} of ${values.length}`, change: (now) => { cut = now; draw(); } });
  const shift = toggle({ label: "add 1000 to all", change: (on) => { added = on ? 1000 : 0; draw(); } });
  figure.add(
    row(panel("scores of six keys, in the order in which they come: pull them", upper)), where,
    row(answer(known)), says,
    row(shift),
  );
  draw();
}
