// Three words, three weights that can be changed, and the query, key and value of each word.

import { answer, button, choice, column, dot, matrix, note, plane, reading, row, rowsOf, set, sum, svg, table, text, whole, write } from "../../../book/parts.js";

const words = ["the", "cat", "sleeps"];
const kinds = ["article", "noun", "verb"];
const X = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const looks = ["noun", "verb"];

export default function views(figure) {
  figure.tell(
    "Choose a word, and see whom it finds: its query is compared with the key of each word. Pull single weights: W_q changes whom a word looks for, " +
      "W_k whom it is found by, and W_v moves what it gives, without changing who finds whom.",
  );
  const weights = {
    W_q: [[1, 0], [0, 1], [1, 0]],
    W_k: [[0, 0], [1, 0], [0, 1]],
    W_v: [[0, 0], [4, 2], [0, 4]],
  };
  let chosen = 0;
  let qkv = null;

  const edit = (name) => ({ step: 0.5, min: name === "W_v" ? -1 : -4, max: 6, change: (i, j, value) => { weights[name][i][j] = value; draw(); } });
  const titles = { W_q: "W_q: looks for", W_k: "W_k: is found as", W_v: "W_v: gives" };
  const columns = { W_q: looks, W_k: looks, W_v: ["first", "second"] };
  const tables = Object.fromEntries(Object.keys(titles).map((name) =>
    [name, table({ caption: titles[name], rows: weights[name], names: { rows: kinds, columns: columns[name] }, max: 6, digits: 1, role: name.at(-1), edit: edit(name) })]));
  const results = Object.fromEntries(["Q", "K", "V"].map((name) =>
    [name, table({ caption: `${name} = X · W_${name.toLowerCase()}`, rows: X.map(() => [0, 0]), names: { rows: words }, max: 6, digits: 1, role: name.toLowerCase() })]));

  const sentence = plane({ label: "The sentence, and how much the chosen word takes from each", width: 420, height: 130, x: [0, 3], y: [0, 1], margin: { left: 10, right: 10, top: 4, bottom: 4 } });
  const drawn = words.map((word, i) => ({
    arc: sentence.add(svg("path", { class: "line weights" })),
    share: sentence.add(svg("text", { class: "strong", x: sentence.to.x(i + 0.5), y: 124, "text-anchor": "middle" })),
    word: sentence.add(svg("text", { class: "strong", x: sentence.to.x(i + 0.5), y: 102, "text-anchor": "middle" }, word)),
  }));

  const map = plane({ label: "Values as points, and the mixture", width: 340, height: 240, x: [-1, 6], y: [-1, 6], ticks: { x: whole(-1, 6), y: whole(-1, 6) }, names: { x: "first number", y: "second" } });
  const points = words.map((word) => ({ dot: map.add(svg("circle", { class: "fill v half" })), name: map.add(svg("text", {}, word)) }));
  const mixed = map.add(svg("circle", { class: "fill output", r: 8 }));
  const says = reading("mixture");

  const askMixture = figure.caller("project", (mixture) => {
    const at = mixture?.data;
    set(mixed, { cx: map.to.x(at?.[0] ?? 0), cy: map.to.y(at?.[1] ?? 0), visibility: at ? "visible" : "hidden" });
    const shares = sharesOf();
    write(says, at && shares ? `“${words[chosen]}” receives ${shares.map((share, i) => `${text(share)} · ${words[i]}`).join(" + ")} = [ ${text(at[0])}  ${text(at[1])} ].` : "");
  }, { shape: () => [1, 2] });
  const ask = figure.caller("compute_qkv", (value) => {
    qkv = value && { Q: rowsOf(value.Q), K: rowsOf(value.K), V: rowsOf(value.V) };
    for (const name of ["Q", "K", "V"]) results[name].show(qkv?.[name]);
    mix();
  }, { shape: () => ({ Q: [3, 2], K: [3, 2], V: [3, 2] }) });

  /// Twice the share for each point of score: a rule for this lesson only. Lesson 03 has the right one.
  function sharesOf() {
    if (!qkv) return null;
    const terms = qkv.K.map((key) => 2 ** dot(qkv.Q[chosen], key));
    return terms.map((term) => term / sum(terms));
  }
  function mix() {
    const shares = sharesOf();
    for (const name of ["Q", "K", "V"]) results[name].cells.forEach((cells, i) => cells[0].parentElement.classList.toggle("chosen", name === "Q" && i === chosen));
    drawn.forEach(({ arc, share, word }, i) => {
      const [from, to] = [sentence.to.x(chosen + 0.5), sentence.to.x(i + 0.5)];
      const high = i === chosen ? 40 : 84 - 34 * Math.abs(i - chosen);
      set(arc, { d: i === chosen ? `M${from - 9},84 C${from - 34},${high} ${from + 34},${high} ${from + 9},84` : `M${from},84 Q${(from + to) / 2},${high - 30} ${to},84`, style: `stroke-width: ${1 + 11 * (shares?.[i] ?? 0)}px; stroke-opacity: 0.75` });
      set(word, { class: i === chosen ? "strong own q" : "strong" });
      write(share, shares ? text(shares[i]) : "–");
    });
    points.forEach(({ dot: point, name }, i) => {
      const [x, y] = qkv?.V[i] ?? [0, 0];
      set(point, { cx: map.to.x(x), cy: map.to.y(y), r: 4 + 14 * (shares?.[i] ?? 0), visibility: qkv ? "visible" : "hidden" });
      set(name, { x: map.to.x(x) + 10, y: map.to.y(y) - 8 });
    });
    set(mixed, { visibility: "hidden" });
    write(says, "");
    if (shares?.every(Number.isFinite)) askMixture(matrix([shares]), matrix(qkv.V));
  }
  function draw() {
    for (const name of Object.keys(tables)) tables[name].show(weights[name]);
    ask(matrix(X), matrix(weights.W_q), matrix(weights.W_k), matrix(weights.W_v));
  }

  const who = choice({ label: "Who asks?", options: words.map((word, i) => [i, word]), value: 0, change: (i) => { chosen = i; mix(); } });
  const keys = button("W_k as W_q", () => { weights.W_k = weights.W_q.map((each) => [...each]); draw(); });
  figure.add(
    row(who), row(column(sentence), column(answer(map))), says,
    row(...Object.values(tables)), row(...Object.values(results).map(answer)), row(keys),
    note("Shares here: twice as much for each point of q · k, which makes the ½ and ¼ of the text. With W_k as W_q, each word finds its like, and itself most."),
  );
  draw();
}
