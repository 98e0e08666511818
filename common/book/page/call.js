// Any call of a function: arguments to pull, and what the reader's function and ours make of them, side by side.

import { row } from "./controls.js";
import { html } from "./dom.js";
import { table } from "./matrix.js";

const single = (value) => ({ shape: [1, 1], data: [value] });

/// The rows of an array of any rank: a batch's, one below the other.
function lines({ shape, data }) {
  const columns = shape.at(-1) ?? 1;
  return Array.from({ length: columns ? data.length / columns : 0 }, (_, i) => data.slice(i * columns, (i + 1) * columns));
}

/// The arrays and numbers in a value, however deep: [name, array, put(element, number)].
function parts(name, value, put = null) {
  if (typeof value === "number" || typeof value === "boolean") return [[name, single(value), put]];
  if (value?.shape) return [[`${name} (${value.shape.join(", ")})`, value, (at, number) => (value.data[at] = number)]];
  if (value === null || typeof value !== "object") return [[`${name} = ${value ?? "none"}`, { shape: [0], data: [] }, null]];
  return Object.entries(value).flatMap(([member, inner]) => parts(Array.isArray(value) ? `${name}[${member}]` : `${name}.${member}`, inner, (_, number) => (value[member] = number)));
}

const isTrue = (each) => typeof each === "boolean";

function drawn(caption, array, more = {}) {
  const sizes = array.data.filter(Number.isFinite).map(Math.abs);
  const whole = array.data.every((each) => isTrue(each) || Number.isInteger(each));
  return table({ caption, rows: lines(array), digits: whole ? 0 : 4, max: Math.max(...sizes, 1e-300), ...more });
}

/// Where two arrays of one shape differ most, as [row, column]; null if they do not.
function furthest(a, b) {
  if (a.shape.join() !== b.shape.join()) return null;
  const off = a.data.map((each, i) => (Object.is(each, b.data[i]) ? 0 : Number.isFinite(each - b.data[i]) ? Math.abs(each - b.data[i]) / (1 + Math.abs(b.data[i])) : Infinity));
  const most = Math.max(...off);
  const at = off.indexOf(most);
  return most > 1e-9 ? [Math.floor(at / (a.shape.at(-1) ?? 1)), at % (a.shape.at(-1) ?? 1)] : null;
}

export default function call(figure) {
  const { function: name, parameters } = figure.input;
  const given = figure.given(name);
  const answers = { theirs: null, ours: null };
  const place = html("div", { class: "answer" });
  const show = () => {
    const [ours, theirs] = ["ours", "theirs"].map((side) => (answers[side] === null ? [] : parts(side === "ours" ? "ours" : "yours", answers[side])));
    place.replaceChildren(row([
      ...ours.map(([caption, array]) => drawn(caption, array)),
      ...theirs.map(([caption, array], i) => drawn(caption, array, { worst: ours[i] ? furthest(array, ours[i][1]) : null })),
    ].map(({ root }) => html("div", { class: "wide" }, root))));
  };
  const asks = ["theirs", "ours"].map((side) =>
    figure.caller(name, (value) => { answers[side] = value; show(); }, { side, slot: side, open: true }));
  const ask = () => asks.forEach((each) => each(...structuredClone(given)));

  const inputs = given.flatMap((argument, i) => parts(parameters[i] ?? `argument ${i + 1}`, argument, (_, number) => (given[i] = number))).map(([caption, array, put]) => {
    const flags = array.data.some(isTrue);
    const change = (i, j, number) => {
      const at = i * (array.shape.at(-1) ?? 1) + j;
      array.data[at] = flags ? number !== 0 : number;
      put(at, array.data[at]);
      input.show(lines(array));
      ask();
    };
    const input = drawn(caption, array, { edit: put && { step: flags ? 1 : 0.5, min: flags ? 0 : -Infinity, max: flags ? 1 : Infinity, change } });
    return html("div", { class: "wide" }, input.root);
  });
  figure.add(row(inputs), place, html("p", { class: "note" }, "Pull the arguments, or change them by the arrow keys: both answers follow. What differs most is framed."));
  ask();
}
