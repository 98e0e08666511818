// Sliders, choices and switches, with labels.

import { html, set, write } from "./dom.js";

let count = 0;

/// A slider with its value beside it. show(value) returns the value's text.
export function slider({ label, min, max, step = 1, value, show = String, change }) {
  const id = `control-${++count}`;
  const words = html("output", { for: id });
  const input = html("input", { id, type: "range", min, max, step, value, input: () => moved() });
  const say = () => {
    const now = show(Number(input.value));
    write(words, now);
    set(input, { "aria-valuetext": now });
  };
  const moved = () => {
    say();
    change(Number(input.value));
  };
  say();
  const root = html("div", { class: "slider" }, html("label", { for: id }, label), input, words);
  return { root, input, get value() { return Number(input.value); }, put(now) { input.value = now; say(); } };
}

/// One of several: options are [value, text].
export function choice({ label, options, value, change }) {
  const name = `control-${++count}`;
  const items = options.map(([each, words]) =>
    html("label", {}, html("input", { type: "radio", name, value: each, checked: each === value ? "" : null, change: () => change(each) }), html("span", {}, words)),
  );
  const root = html("fieldset", { class: "choice" }, html("legend", {}, label), items);
  return { root, put: (now) => root.querySelectorAll("input").forEach((input, i) => (input.checked = options[i][0] === now)) };
}

/// On or off.
export function toggle({ label, value = false, change }) {
  const button = html("button", { type: "button", class: "toggle", "aria-pressed": value, click: () => turn(button.getAttribute("aria-pressed") !== "true") }, label);
  const turn = (now) => {
    button.setAttribute("aria-pressed", now);
    change(now);
  };
  return { root: button };
}

export const button = (words, press) => html("button", { type: "button", click: press }, words);
export const row = (...children) => html("div", { class: "row" }, ...children);
export const column = (...children) => html("div", { class: "column" }, ...children);

/// A matrix or a drawing, which may be wider than a phone; and one that is an answer, pale while there is none.
export const wide = (part) => html("div", { class: "wide" }, part);
export const answer = (part) => html("div", { class: "wide answer" }, part);
export const note = (...words) => html("p", { class: "note" }, ...words);
/// What stands above a part, and the part.
export const panel = (words, ...parts) => column(note(words), ...parts);
/// An arrow from what stands before it to what stands after it, with what is done on the way.
export const step = (words, role) => html("div", { class: `step own ${role}` }, words);

/// A line of text that is a figure's reading, such as "score 2.00".
export const reading = (name) => html("p", { class: "reading", "data-reading": name });
