// A query and a key that are turned by their positions, and the scores at all pairs of positions.

import { answer, arrow, button, choice, column, dot, handle, matrix, note, plane, putNames, reading, row, rowsOf, slider, svg, table, text, vector, whole, write } from "../../../book/parts.js";

const start = () => ({ q: [2, 0.5], k: [1.5, 1.5] });
const n = 6; // positions in the table
const last = 12; // of the sliders
const places = Array.from({ length: n }, (_, i) => i);
const sums = (a, b) => a.map((x, i) => x + b[i]);

export default function turns(figure) {
  figure.tell(
    "Move the query along the text, and it turns; the key stays. Now move both one further: both turn by as much, and the score stays. " +
      "So in the table of all pairs of positions, each diagonal has one number throughout. Add sinusoidal_positions instead, and none has.",
  );
  let at = start();
  const position = { q: 2, k: 0 };
  let way = "rotate";

  const chart = plane({
    label: "The query and the key, turned by their positions", width: 340, even: true, x: [-3, 3], y: [-3, 3],
    ticks: { x: whole(-3, 3, 1), y: whole(-3, 3, 1) }, margin: { left: 30, right: 10, top: 10, bottom: 24 },
  });
  const drawn = {};
  for (const name of ["q", "k"]) drawn[name] = { before: arrow(chart, "faint"), turned: arrow(chart, name) };
  for (const name of ["q", "k"]) {
    drawn[name].name = chart.add(svg("text", { class: `strong own ${name}`, "text-anchor": "middle" }, name));
    drawn[name].knob = handle(chart, {
      label: `tip of ${name} at position 0`, classes: name, says: (x, y) => `${text(x, 1)}, ${text(y, 1)}`,
      move: (x, y) => { at[name] = [x, y]; draw(); },
    });
  }
  const says = reading("score");
  const scores = table({ role: "scores", caption: "scores q · k, by their positions", rows: places.map(() => places.map(() => 0)), names: { rows: places.map((i) => `q ${i}`), columns: places.map((j) => `k ${j}`) }, digits: 2, max: 5 });

  const askPair = figure.caller("rotate", (value, [, { data: [of_q, of_k] }]) => {
    const [q, k] = value ? rowsOf(value) : [[0, 0], [0, 0]];
    drawn.q.turned.to(...q);
    drawn.k.turned.to(...k);
    putNames(chart, [drawn.q.name, drawn.k.name], [q, k]);
    write(says, value ? `q at ${of_q}, k at ${of_k}, ${Math.abs(of_q - of_k)} apart: turned, their score q · k is ${text(dot(q, k), 3)}.` : "No score.");
  }, { shape: () => [2, 2] });
  // Both are computed anew when a function has changed; one of them is wanted.
  const askAll = figure.caller("rotate", (value) => {
    if (way !== "rotate") return;
    const turned = value ? rowsOf(value) : null;
    show(turned && turned.slice(0, n), turned && turned.slice(n));
  }, { shape: () => [2 * n, 2], slot: "all" });
  const askAdded = figure.caller("sinusoidal_positions", (value) => {
    if (way !== "add") return;
    const added = value ? rowsOf(value) : null;
    show(added && added.map((each) => sums(at.q, each)), added && added.map((each) => sums(at.k, each)));
  }, { shape: () => [n, 2] });

  function show(queries, keys) {
    scores.show(queries && queries.map((q) => keys.map((k) => dot(q, k))));
    scores.cells.forEach((cells, i) => cells.forEach((cell, j) => cell.classList.toggle("chosen", i === position.q && j === position.k)));
  }
  function draw() {
    for (const name of ["q", "k"]) {
      drawn[name].before.to(...at[name]);
      drawn[name].knob.at(...at[name]);
    }
    askPair(matrix([at.q, at.k]), vector([position.q, position.k]));
    if (way === "rotate") askAll(matrix([...places.map(() => at.q), ...places.map(() => at.k)]), vector([...places, ...places]));
    else askAdded(n, 2);
  }

  const sliders = {};
  for (const name of ["q", "k"]) {
    sliders[name] = slider({ label: `position of ${name}`, min: 0, max: last, value: position[name], change: (now) => { position[name] = now; draw(); } });
  }
  const move = (by) => {
    for (const name of ["q", "k"]) sliders[name].put((position[name] += by));
    draw();
  };
  const together = button("both one further", () => { if (Math.max(position.q, position.k) < last) move(1); });
  const back = button("both to the start", () => move(-Math.min(position.q, position.k)));
  const ways = choice({ label: "positions", options: [["rotate", "turn: rotate"], ["add", "are added: sinusoidal_positions"]], value: way, change: (now) => { way = now; draw(); } });
  figure.add(
    row(column(chart, note("grey: both at position 0, pull them there; in colour: turned by rotate")), column(sliders.q, sliders.k, row(together, back), says)),
    row(ways), row(answer(scores)),
  );
  draw();
}
