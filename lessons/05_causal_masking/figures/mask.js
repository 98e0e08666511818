// A mask to click, cell by cell, and the weights that masked_softmax makes of it.

import { answer, bools, button, choice, matrix, note, reading, row, rowsOf, set, table, toggle, wide, write } from "../../../book/parts.js";

const words = ["the", "cat", "sleeps"];
const scoresOfWords = [[0, 0.707, 0], [0, 0, 0.707], [0, 0.707, 0]]; // those of the text
export const shows = { masked_softmax: ({ shape }) => shape.every((size) => size > 0 && size <= 8) };

export default function mask(figure) {
  figure.tell(
    "Click cells of the mask, or walk in it with the arrow keys and press Space: 1 attends, 0 is blocked. A blocked key gets no weight, " +
      "and the others share it. Then put the pads in front and press “both”: two rows see nothing.",
  );
  const [given, givenMask] = figure.given("masked_softmax") ?? [];
  const [n, m] = given?.shape ?? [5, 5]; // three words and two pads
  const square = (value) => Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => value(i, j)));
  let front = false; // where the pads stand
  let loud = false; // whether the pads' scores are large
  let seen = givenMask ? rowsOf(givenMask).map((row) => row.map(Boolean)) : square(() => true);
  let wanted = null; // "causal" or "both", while the mask is the one that causal_mask made

  const wordAt = (i) => (given ? String(i) : words[front ? i - 2 : i] ?? "pad");
  const isPad = (i) => wordAt(i) === "pad";
  const scoresNow = () => given ? rowsOf(given) : square((i, j) => (isPad(j) ? (loud ? 1000 : 0) : isPad(i) ? 0 : scoresOfWords[words.indexOf(wordAt(i))][words.indexOf(wordAt(j))]));
  const names = (count) => Array.from({ length: count }, (_, i) => wordAt(i));

  const numbers = { rows: square(() => 0), names: { rows: names(n), columns: names(m) } };
  const grid = table({ ...numbers, caption: "mask: click it", digits: 0, classes: "tight" });
  const scores = table({ ...numbers, role: "scores", caption: "scores", digits: 1, max: 4 });
  const weights = table({ ...numbers, role: "weights", caption: "masked_softmax(scores, mask)", digits: 3 });
  const blind = reading("blind");
  set(blind, { "aria-live": "polite" });

  grid.cells.forEach((cells, i) => cells.forEach((cell, j) => {
    set(cell, {
      role: "switch", tabindex: i + j ? -1 : 0,
      click: () => { wanted = null; seen[i][j] = !seen[i][j]; enter(i, j); draw(); },
      keydown: (event) => {
        const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
        if (event.key === " " || event.key === "Enter") cell.click();
        else if (down || right) enter((i + down + n) % n, (j + right + m) % m);
        else return;
        event.preventDefault();
      },
    });
    Object.assign(cell.style, { cursor: "pointer", minWidth: "2.2rem", textAlign: "center", userSelect: "none" });
  }));
  /// One cell of the grid is in the order of Tab: the one that was entered last.
  function enter(i, j) {
    grid.cells.flat().forEach((cell) => set(cell, { tabindex: -1 }));
    set(grid.cells[i][j], { tabindex: 0 });
    grid.cells[i][j].focus({ preventScroll: true });
  }

  const askCausal = figure.caller("causal_mask", (causal) => {
    if (!causal || !wanted) return;
    const allowed = rowsOf(causal);
    seen = square((i, j) => Boolean(allowed[i][j]) && !(wanted === "both" && isPad(j)));
    draw();
  }, { shape: (size) => [size, size] });

  const ask = figure.caller("masked_softmax", (value, [, asked]) => {
    const rows = value && rowsOf(value);
    weights.show(rows);
    rowsOf(asked.bool).forEach((allowed, i) => allowed.forEach((sees, j) => weights.cells[i][j].classList.toggle("blocked", !sees)));
    write(blind, told(rowsOf(asked.bool), rows));
  }, { shape: () => [n, m] });

  function told(allowed, rows) {
    const empty = allowed.map((sees, i) => (sees.some(Boolean) ? -1 : i)).filter((i) => i >= 0);
    if (empty.length === 0) return "Every row sees something" + (rows ? ", so every row of weights sums to 1." : ".");
    const which = `${empty.length === 1 ? "Row" : "Rows"} ${empty.map((i) => `${i} (${wordAt(i)})`).join(", ")} ${empty.length === 1 ? "sees" : "see"} nothing. `;
    if (!rows) return which;
    return which + (empty.every((i) => rows[i].every((weight) => weight === 0))
      ? "As the contract says, such a row of weights is 0 throughout: nothing to attend to, nothing received."
      : "The contract wants 0 throughout in such a row; here it is something else.");
  }

  function draw() {
    grid.show(seen);
    grid.cells.forEach((cells, i) => cells.forEach((cell, j) => {
      cell.classList.toggle("blocked", !seen[i][j]);
      set(cell, { "aria-checked": String(seen[i][j]), "aria-label": `row ${i} (${wordAt(i)}) attends to column ${j} (${wordAt(j)})` });
    }));
    scores.show(scoresNow());
    for (const { root } of [grid, scores, weights]) {
      for (const scope of ["row", "col"]) root.querySelectorAll(`th[scope="${scope}"]`).forEach((head, i) => write(head, wordAt(i)));
    }
    ask(matrix(scoresNow()), bools(seen));
  }
  const ready = (now) => { wanted = null; seen = square(now); draw(); };
  const causal = (kind) => { wanted = kind; askCausal(n); };

  const side = choice({
    label: "the two pads stand", options: [[false, "at the end"], [true, "in front"]], value: false,
    change: (now) => { front = now; draw(); if (wanted) askCausal(n); },
  });
  figure.add(
    given ? null : row(side),
    row(...(given ? [] : [button("causal", () => causal("causal")), button("padding", () => ready((_, j) => !isPad(j))), button("both", () => causal("both"))]), button("all", () => ready(() => true)), button("none", () => ready(() => false))),
    row(wide(grid), answer(weights), wide(scores)), blind,
    given ? null : row(toggle({ label: "the pads' scores are 1000", change: (on) => { loud = on; draw(); } })),
    given ? null : note("Rows are queries, columns are keys. “causal” asks causal_mask(5); “both” blocks the pads in it as well. A pad that is blocked has no influence, however large its score; let it be seen, and it takes everything."),
  );
  draw();
  if (!given) causal("causal");
}
