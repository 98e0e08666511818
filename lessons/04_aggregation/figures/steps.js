// The whole mechanism on the sentence of lesson 01, step by step: choose a query and follow its row.

import { answer, button, choice, dot, matrix, note, reading, row, rowsOf, step, table, text, wide, write } from "../../../book/parts.js";

const sentence = ["the", "cat", "sleeps"];
const columns = { Q: ["noun?", "verb?"], K: ["noun", "verb"], V: ["first", "second"] };
const small = (...arrays) => arrays.every(({ shape }) => shape.every((size) => size > 0 && size <= 6));
export const shows = { attention_weights: small, self_attention: small };

export default function steps(figure) {
  figure.tell(
    "Choose a query and follow its row along the arrows. Then pull numbers: a key changes one column of scores and all weights, " +
      "a value changes the output alone.",
  );
  const [Q, K, V] = figure.given("self_attention") ?? figure.given("attention_weights") ?? [];
  const given = {
    Q: Q ? rowsOf(Q) : [[1, 0], [0, 1], [1, 0]],
    K: K ? rowsOf(K) : [[0, 0], [1, 0], [0, 1]],
    V: V ? rowsOf(V) : K ? rowsOf(K) : [[0, 0], [4, 2], [0, 4]],
  };
  const named = (count, what) => Array.from({ length: count }, (_, i) => (Q ? `${what} ${i}` : sentence[i]));
  const words = named(given.Q.length, "query"), keys = named(given.K.length, "key");
  const [components, width] = [given.Q[0].length, given.V[0].length];
  const heads = Object.fromEntries(["Q", "K", "V"].map((name) => [name, given[name][0].map((_, j) => (Q ? String(j) : columns[name][j]))]));
  let chosen = 0;
  let weights = null;
  let output = null;

  const inputs = Object.fromEntries(["Q", "K", "V"].map((name) =>
    [name, table({
      role: name.toLowerCase(), caption: name, rows: given[name], names: { rows: name === "Q" ? words : keys, columns: heads[name] }, max: 6, digits: 1,
      edit: { step: 0.5, min: -6, max: 6, change: (i, j, value) => { given[name][i][j] = value; draw(); } },
    })]));
  const all = { names: { rows: words, columns: keys } };
  const square = words.map(() => keys.map(() => 0));
  const raw = table({ ...all, role: "scores", caption: "1. scores", rows: square, max: 4 });
  const scaled = table({ ...all, role: "scaled", caption: "2. scaled scores", rows: square, max: 4, digits: 3 });
  const mixed = table({ ...all, role: "weights", caption: "3. attention_weights(Q, K)", rows: square, digits: 3 });
  const results = table({ role: "output", caption: "4. self_attention(Q, K, V)", rows: words.map(() => heads.V.map(() => 0)), names: { rows: words, columns: heads.V }, max: 6, digits: 3 });
  const way = table({
    caption: "", rows: keys.map(() => [0, 0, 0, ...heads.V]), digits: 3, max: 4,
    names: { rows: Q ? keys : keys.map((word) => `key of ${word}`), columns: ["q · k", `/ √${components}`, "weight", ...heads.V.map((name) => `weight · ${name}`)] },
    roles: { columns: ["scores", "scaled", "weights", ...heads.V.map(() => "output")] },
  });
  const says = reading("output");

  const askWeights = figure.caller("attention_weights", (value) => { weights = value && rowsOf(value); show(); }, { shape: () => [words.length, keys.length] });
  const askOutput = figure.caller("self_attention", (value) => { output = value && rowsOf(value); show(); }, { shape: () => [words.length, width] });

  function show() {
    const scores = given.Q.map((query) => given.K.map((key) => dot(query, key)));
    const smaller = scores.map((line) => line.map((score) => score / Math.sqrt(components)));
    for (const name of ["Q", "K", "V"]) inputs[name].show(given[name]);
    raw.show(scores);
    scaled.show(smaller);
    mixed.show(weights);
    results.show(output);
    for (const { cells } of [inputs.Q, raw, scaled, mixed, results]) cells.forEach((cell, i) => cell[0].parentElement.classList.toggle("chosen", i === chosen));
    write(way.root.caption, `the way of the query of “${words[chosen]}”, key by key`);
    way.show(keys.map((_, j) => {
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
  const swap = (lines) => [lines[0], ...lines.slice(1, 3).reverse(), ...lines.slice(3)];
  figure.add(
    row(who),
    row(inputs.Q, inputs.K, step("Q Kᵀ", "scores"), wide(raw)),
    row(step(`/ √${components}`, "scaled"), wide(scaled), step("softmax", "weights"), answer(mixed)),
    row(inputs.V, step("weights · V", "output"), answer(results)),
    answer(way), answer(says),
    row(button("exchange rows 2 and 3 of K", () => { given.K = swap(given.K); draw(); }), button("and of V", () => { given.V = swap(given.V); draw(); })),
    note("Steps 1 and 2 are lesson 02's, computed by this page; click a row to choose its query. Exchange rows of K and of V: each key keeps its value, and no output changes."),
  );
  draw();
}
