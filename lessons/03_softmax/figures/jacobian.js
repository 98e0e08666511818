// A nudge to one score, and the column of the Jacobian that foretells what the weights will do.

import { answer, choice, column, reading, row, rowsOf, slider, table, text, vector, wide, write } from "../../../book/parts.js";

export const shows = { softmax: ({ shape: [n] }) => n > 0 && n <= 6 };

export default function jacobian(figure) {
  figure.tell(
    "Nudge one score. The column of the Jacobian below it, times the nudge, is what the weights are about to do. " +
      "Now raise score 0 far above the others: the whole Jacobian fades to 0, and with it all that a gradient could say.",
  );
  const [{ data: given }] = figure.given("softmax") ?? [vector([Math.log(3), Math.log(2), 0])];
  const names = given.map((_, i) => `score ${i}`);
  const weightNames = given.map((_, i) => `weight ${i}`);
  const n = given.length;
  const blank = given.map(() => given.map(() => 0));
  const state = { scores: given, nudged: 0, by: 0.1, before: null, after: null, J: null };

  const scores = table({
    role: "scores", caption: "scores: pull the numbers", rows: [state.scores], names: { columns: names }, max: 8, digits: 2,
    edit: { step: 0.1, min: -2, max: 16, change: (_, j, value) => { state.scores[j] = value; draw(); } },
  });
  const J = table({ caption: "softmax_jacobian(weights)", rows: blank, names: { rows: weightNames, columns: names }, max: 0.25, digits: 4 });
  const moves = table({
    caption: "what the nudge does", rows: given.map(() => [0, 0, 0]), names: { rows: weightNames, columns: ["weight", "J · nudge", "moved by"] }, max: 0.25, digits: 4, roles: { columns: ["weights", "", ""] },
  });
  const says = reading("largest");

  const askAfter = figure.caller("softmax", (weights) => { state.after = weights?.data ?? null; show(); }, { shape: () => [n], slot: "after" });
  const askJ = figure.caller("softmax_jacobian", (value) => { state.J = value ? rowsOf(value) : null; show(); }, { shape: () => [n, n] });
  const askBefore = figure.caller("softmax", (weights) => {
    state.before = weights?.data ?? null;
    if (weights) askJ(vector(weights.data));
    show();
  }, { shape: () => [n] });

  function show() {
    const { before, after, nudged, by } = state;
    J.show(state.J);
    J.cells.forEach((cells) => cells.forEach((cell, j) => cell.classList.toggle("chosen", j === nudged)));
    moves.show(weightNames.map((_, i) => [before?.[i], state.J ? state.J[i][nudged] * by : undefined, before && after ? after[i] - before[i] : undefined]));
    const largest = state.J ? Math.max(...state.J.flat().map(Math.abs)) : NaN;
    write(says, state.J ? `Largest element of the Jacobian: ${text(largest, 6)}.` + (largest < 0.01 ? " Whatever the gradient is, at most a hundredth of it gets through: the softmax is saturated." : "") : "");
  }
  function draw() {
    scores.show([state.scores]);
    sure.put(state.scores[0]);
    askBefore(vector(state.scores));
    askAfter(vector(state.scores.map((score, i) => score + (i === state.nudged ? state.by : 0))));
  }

  const which = choice({ label: "nudge", options: names.map((name, i) => [i, name]), value: 0, change: (i) => { state.nudged = i; draw(); } });
  const by = slider({ label: "by", min: -1, max: 1, step: 0.01, value: state.by, show: (value) => text(value, 2), change: (value) => { state.by = value; draw(); } });
  const sure = slider({ label: "score 0", min: -2, max: 16, step: 0.1, value: state.scores[0], show: (value) => text(value, 1), change: (value) => { state.scores[0] = value; draw(); } });
  figure.add(
    row(wide(scores), column(sure)), row(which), by, row(answer(J), answer(moves)), says,
  );
  draw();
}
