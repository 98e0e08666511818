// A query and a key as arrows to pull: their lengths, the angle between them, and their score.

import { answer, arrow, button, column, dot, handle, length, matrix, note, path, plane, putNames, reading, row, set, svg, table, text, whole, write } from "../../../book/parts.js";

const names = ["‖q‖ ‖k‖ cos θ", "raw_scores", "scaled_scores"];

const fits = ({ shape: [rows, columns], data }) => rows === 1 && columns === 2 && data.every((each) => Math.abs(each) <= 4);
export const shows = { raw_scores: (Q, K) => fits(Q) && fits(K), scaled_scores: (Q, K) => fits(Q) && fits(K) };

export default function arrows(figure) {
  figure.tell(
    "Pull the tips of the two arrows. The score is the length of q times the broad shadow that k casts on it: positive on q's side, " +
      "0 at a right angle, negative behind. With k half as long, the score is half as large.",
  );
  const [Q, K] = figure.given("raw_scores") ?? figure.given("scaled_scores") ?? [{ data: [3, 1] }, { data: [1, 2] }];
  const at = { q: Q.data, k: K.data };
  let scores = [undefined, undefined];

  const chart = plane({
    label: "The query q and the key k as arrows", width: 360, even: true, x: [-4, 4], y: [-4, 4],
    ticks: { x: whole(-4, 4, 2), y: whole(-4, 4, 2) }, margin: { left: 30, right: 10, top: 10, bottom: 24 },
  });
  const fall = chart.add(svg("line", { class: "line thin dashed faint" }));
  const shadow = chart.add(svg("line", { class: "line scores", style: "stroke-width: 12px; stroke-opacity: 0.75" }));
  const arc = chart.add(svg("polyline", { class: "line thin ink" }));
  const theta = chart.add(svg("text", { "text-anchor": "middle" }, "θ"));
  const drawn = {};
  for (const name of ["q", "k"]) drawn[name] = { arrow: arrow(chart, name) };
  for (const name of ["q", "k"]) {
    drawn[name].name = chart.add(svg("text", { class: `strong own ${name}`, "text-anchor": "middle" }, name));
    drawn[name].knob = handle(chart, { label: `tip of ${name}`, classes: name, says: (x, y) => `${text(x, 1)}, ${text(y, 1)}`, move: (x, y) => { at[name] = [x, y]; draw(); } });
  }
  const says = { q: reading("q"), k: reading("k"), angle: reading("angle"), shadow: reading("shadow") };
  const results = table({ caption: "the score of q and k", rows: [[0], [0], [0]], names: { rows: names }, roles: { rows: ["", "unscaled", "scaled"] }, digits: 3, max: 10 });

  const askRaw = figure.caller("raw_scores", (value) => { scores[0] = value?.data[0]; show(); }, { shape: () => [1, 1] });
  const askScaled = figure.caller("scaled_scores", (value) => { scores[1] = value?.data[0]; show(); }, { shape: () => [1, 1] });

  const show = () => results.show([[length(at.q) * length(at.k) * Math.cos(turn())], [scores[0]], [scores[1]]]);

  /// The angle from q to k, at most half a turn either way; 0 if one of them has no direction.
  function turn() {
    const [[qx, qy], [kx, ky]] = [at.q, at.k];
    return Math.atan2(qx * ky - qy * kx, dot(at.q, at.k));
  }

  function draw() {
    const { q, k } = at;
    const directions = length(q) > 0 && length(k) > 0;
    for (const name of ["q", "k"]) {
      const [x, y] = at[name];
      drawn[name].arrow.to(x, y);
      drawn[name].knob.at(x, y);
      write(says[name], `${name} = [ ${text(x, 1)}  ${text(y, 1)} ], length ${text(length(at[name]))}`);
    }
    putNames(chart, [drawn.q.name, drawn.k.name], [q, k]);
    const along = length(q) > 0 ? dot(q, k) / dot(q, q) : 0;
    const foot = [q[0] * along, q[1] * along];
    set(shadow, { x1: chart.to.x(0), y1: chart.to.y(0), x2: chart.to.x(foot[0]), y2: chart.to.y(foot[1]) });
    set(fall, { x1: chart.to.x(k[0]), y1: chart.to.y(k[1]), x2: chart.to.x(foot[0]), y2: chart.to.y(foot[1]) });
    const from = Math.atan2(q[1], q[0]);
    const by = turn();
    const wide = Math.min(0.7, length(q), length(k));
    const round = (part, far) => [far * Math.cos(from + by * part), far * Math.sin(from + by * part)];
    set(arc, { points: path(chart, Array.from({ length: 25 }, (_, i) => round(i / 24, wide))) });
    const [tx, ty] = round(0.5, wide + 0.35);
    set(theta, { x: chart.to.x(tx), y: chart.to.y(ty) + 4, visibility: directions && Math.abs(by) > 0.2 ? "visible" : "hidden" });
    write(says.angle, directions ? `angle θ = ${text((Math.abs(by) * 180) / Math.PI, 1)}°, cos θ = ${text(Math.cos(by))}` : "An arrow of length 0 has no angle to the other.");
    write(says.shadow, `shadow of k on q: ${text(length(k) * Math.cos(by))}`);
    show();
    askRaw(matrix([q]), matrix([k]));
    askScaled(matrix([q]), matrix([k]));
  }

  function right() {
    const [x, y] = at.q;
    const long = length(at.q) > 0 ? Math.min(length(at.k), 4) / length(at.q) : 0;
    at.k = [-y * long, x * long];
    draw();
  }
  figure.add(
    row(column(chart), column(says.q, says.k, says.angle, says.shadow, answer(results),
      note("scaled_scores divides by √d_k. Arrows in the plane have two components: √2 = 1.414."))),
    row(
      button("k half as long", () => { at.k = at.k.map((each) => each / 2); draw(); }),
      button("k at a right angle to q", right),
    ),
  );
  draw();
}
