// The whole mechanism on the sentence of lesson 01, step by step: choose a query and follow its row.

import { dot, matrix, rowsOf, text } from "../../../book/arrays.js";
import { button, choice, reading, row } from "../../../book/controls.js";
import { html, write } from "../../../book/dom.js";
import { table } from "../../../book/matrix.js";

const words = ["the", "cat", "sleeps"];
const start = () => ({
  Q: [[1, 0], [0, 1], [1, 0]],
  K: [[0, 0], [1, 0], [0, 1]],
  V: [[0, 0], [4, 2], [0, 4]],
});
const columns = { Q: ["noun?", "verb?"], K: ["noun", "verb"], V: ["first", "second"] };
const square = words.map(() => [0, 0, 0]);

export default function steps(figure) {
  figure.functions = { attention_weights: "04.2", self_attention: "04.3" };
  figure.tell(
    "Choose a query and follow its row from step to step. Then pull numbers: a key changes one column of scores and all weights, " +
      "a value changes the output alone.",
  );
  let given = start();
  let chosen = 0;
  let weights = null;
  let output = null;

  const inputs = Object.fromEntries(["Q", "K", "V"].map((name) =>
    [name, table({
      caption: name, rows: given[name], names: { rows: words, columns: columns[name] }, max: 6, digits: 1,
      edit: { step: 0.5, min: -6, max: 6, change: (i, j, value) => { given[name][i][j] = value; draw(); } },
    })]));
  const all = { names: { rows: words, columns: words } };
  const raw = table({ ...all, caption: "1. scores: Q · Kᵀ", rows: square, max: 4 });
  const scaled = table({ ...all, caption: "2. scaled: divided by √2", rows: square, max: 4, digits: 3 });
  const mixed = table({ ...all, caption: "3. attention_weights(Q, K)", rows: square, digits: 3 });
  const results = table({ caption: "4. self_attention(Q, K, V)", rows: given.V, names: { rows: words, columns: columns.V }, max: 6, digits: 3 });
  const way = table({
    caption: "", rows: words.map(() => [0, 0, 0, 0, 0]), digits: 3, max: 4,
    names: { rows: words.map((word) => `key of ${word}`), columns: ["q · k", "/ √2", "weight", "weight · first", "weight · second"] },
  });
  const says = reading("output");

  const askWeights = figure.caller("attention_weights", (value) => { weights = value && rowsOf(value); show(); }, { shape: () => [3, 3] });
  const askOutput = figure.caller("self_attention", (value) => { output = value && rowsOf(value); show(); }, { shape: () => [3, 2] });

  function show() {
    const scores = given.Q.map((query) => given.K.map((key) => dot(query, key)));
    const smaller = scores.map((line) => line.map((score) => score / Math.SQRT2));
    for (const name of ["Q", "K", "V"]) inputs[name].show(given[name]);
    raw.show(scores);
    scaled.show(smaller);
    mixed.show(weights);
    results.show(output);
    for (const { cells } of [inputs.Q, raw, scaled, mixed, results]) cells.forEach((cell, i) => cell[0].parentElement.classList.toggle("chosen", i === chosen));
    write(way.root.caption, `the way of the query of “${words[chosen]}”, key by key`);
    way.show(words.map((_, j) => {
      const weight = weights?.[chosen][j];
      return [scores[chosen][j], smaller[chosen][j], weight, ...given.V[j].map((number) => (weights ? weight * number : undefined))];
    }));
    const received = output?.[chosen];
    write(says, received ? `Summed over the keys, “${words[chosen]}” receives [ ${received.map((number) => text(number, 3)).join("  ")} ].` : "");
  }
  function draw() {
    show();
    askWeights(matrix(given.Q), matrix(given.K));
    askOutput(matrix(given.Q), matrix(given.K), matrix(given.V));
  }

  const pick = (i) => { chosen = i; who.put(i); show(); };
  const who = choice({ label: "Whose query?", options: words.map((word, i) => [i, word]), value: 0, change: pick });
  for (const { cells } of [inputs.Q, raw, scaled, mixed, results]) {
    cells.forEach((cell, i) => cell[0].parentElement.addEventListener("click", () => pick(i)));
  }
  const swap = (lines) => [lines[0], lines[2], lines[1]];
  figure.add(
    row(who.root),
    row(Object.values(inputs).map((each) => html("div", {}, each.root))),
    row(html("div", { class: "wide" }, raw.root), html("div", { class: "wide" }, scaled.root), html("div", { class: "wide answer" }, mixed.root), html("div", { class: "wide answer" }, results.root)),
    html("div", { class: "wide answer" }, way.root), html("div", { class: "answer" }, says),
    row(button("exchange rows 2 and 3 of K", () => { given.K = swap(given.K); draw(); }), button("and of V", () => { given.V = swap(given.V); draw(); }), button("start again", () => { given = start(); draw(); })),
    html("p", { class: "note" }, "Steps 1 and 2 are lesson 02's, computed by this page; click a row to choose its query. Exchange rows of K and of V: each key keeps its value, and no output changes."),
  );
  draw();
}
