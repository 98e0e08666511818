// A matrix as a table whose cells are coloured by their numbers.

import { html, set, write } from "./dom.js";
import { text } from "./arrays.js";

/// Weights from nothing to all of one colour; other numbers in one colour below 0, another above.
function paint(cell, value, { max = 1 } = {}) {
  const finite = Number.isFinite(value);
  const level = finite ? Math.min(Math.abs(value) / max, 1) : 0;
  cell.style.setProperty("--level", `${(100 * level).toFixed(1)}%`);
  cell.classList.toggle("below", finite && value < 0);
  cell.classList.toggle("nan", value === null || Number.isNaN(value));
  cell.classList.toggle("blocked", value === -Infinity);
}

/// rows: the numbers. names: {rows, columns}. role: what it is ("q", "scores", …), which has a colour; roles: {rows,
/// columns} where only some are such. worst: [row, column]. edit: {step, min, max, change(i, j, value)} makes each cell
/// one that can be pulled or stepped. digits, max: how numbers look. .show(rows) puts others in (of the same
/// shape), null empties it.
export function table({ caption, rows, names = {}, role = "", roles = {}, digits = 2, max = 1, worst = null, edit = null, classes = "" }) {
  const own = (name) => (name ? `own ${name}` : "");
  const cells = rows.map((row, i) =>
    row.map((_, j) => {
      const cell = html("td", { class: `cell ${own(roles.columns?.[j] || roles.rows?.[i])}` });
      const what = [names.rows?.[i] ?? `row ${i + 1}`, names.columns?.[j] ?? `column ${j + 1}`].join(", ");
      if (edit) pullable(cell, { ...edit, label: `${caption}: ${what}`, change: (value) => edit.change(i, j, value) });
      if (worst && worst[0] === i && worst[1] === j) set(cell, { class: "cell worst", title: "furthest off" });
      return cell;
    }),
  );
  const head = names.columns ? html("thead", {}, html("tr", {}, names.rows ? html("td") : null, names.columns.map((name, j) => html("th", { scope: "col", class: own(roles.columns?.[j]) }, name)))) : null;
  const body = html("tbody", {}, cells.map((row, i) => html("tr", {}, names.rows ? html("th", { scope: "row", class: own(roles.rows?.[i]) }, names.rows[i]) : null, row)));
  const root = html("table", { class: `matrix ${classes} ${own(role)}` }, html("caption", {}, caption), head, body);
  const show = (now) =>
    cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        const value = now ? now[i]?.[j] : undefined;
        write(cell, value === undefined ? "–" : text(value, digits));
        paint(cell, value === undefined ? 0 : Number(value), { max });
        if (edit && value !== undefined) set(cell, { "aria-valuenow": value, "aria-valuetext": text(value, digits) });
      }),
    );
  show(rows);
  return { root, cells, show };
}

/// Makes an element's number change when it is pulled sideways, or by the arrow keys.
export function pullable(element, { label, step = 0.1, min = -Infinity, max = Infinity, change }) {
  const limit = (value) => Math.min(Math.max(Math.round(value / step) * step, min), max);
  const now = () => Number(element.getAttribute("aria-valuenow"));
  set(element, { role: "spinbutton", tabindex: 0, "aria-label": label });
  if (Number.isFinite(min)) set(element, { "aria-valuemin": min });
  if (Number.isFinite(max)) set(element, { "aria-valuemax": max });
  element.classList.add("pullable");
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = { x: event.clientX, value: now() };
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!start || !element.hasPointerCapture(event.pointerId)) return;
    const value = limit(start.value + Math.round((event.clientX - start.x) / 8) * step);
    if (value !== now()) change(value);
  });
  element.addEventListener("lostpointercapture", () => (start = null));
  element.addEventListener("keydown", (event) => {
    const ways = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
    const value = limit(now() + ways[event.key] * step * (event.shiftKey ? 10 : 1));
    if (!(event.key in ways) || !Number.isFinite(value)) return;
    event.preventDefault();
    change(value);
  });
}
