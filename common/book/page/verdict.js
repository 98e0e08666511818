// The verdict beside an exercise: the terminal's words, with its matrices in colour.

import { callOf, load } from "./figure.js";
import { colour } from "./cpp.js";
import { data, failing } from "./course.js";
import { html } from "./dom.js";
import { linked } from "./editor.js";
import { table } from "./matrix.js";

const states = {
  not_graded: ["·", "not checked yet"], not_started: ["·", "not started"], does_not_compile: ["✗", "does not compile"],
  wrong: ["✗", "wrong"], crashed: ["✗", "crashed"], ran_too_long: ["✗", "ran too long"],
  used_too_much_memory: ["✗", "used too much memory"], ended_early: ["✗", "ended early"], passed: ["✓", "passed"],
  grader_at_fault: ["!", "grader at fault"],
};

export const mark = ({ state }) => (states[state] ?? states.not_graded)[0];
export const stateText = ({ state }) => (states[state] ?? states.not_graded)[1];

const numberIn = (word) => {
  const plain = word.replace(/[[\]]/g, "");
  return plain === "inf" ? Infinity : plain === "-inf" ? -Infinity : plain === "true" ? 1 : plain === "false" ? 0 : Number(plain);
};

/// The lines of a verdict that show yours beside expected, as two matrices, the worst element marked
/// as there: {first, last, yours, expected, worst}. Null if there are none, or not all of them.
export function compared(details) {
  const first = details.findIndex((line) => /^\s*yours \(.*\)\s+expected \(/.test(line));
  if (first < 0) return null;
  const cut = details[first].indexOf("expected (");
  const found = { first, yours: [], expected: [], worst: null };
  let last = first;
  while (last + 1 < details.length && details[last + 1].trim() !== "") {
    const line = details[++last];
    const sides = [line.slice(0, cut), line.slice(cut)].map((side) => side.trim().split(/\s+/).filter(Boolean));
    for (const words of sides) {
      const at = words.findIndex((word) => word.startsWith("["));
      if (at >= 0) found.worst = [found.yours.length, at];
      if (words.some((word) => Number.isNaN(numberIn(word)) && !/^\[?-?nan\]?$/.test(word))) return null; // cut, or in words
    }
    found.yours.push(sides[0].map(numberIn));
    found.expected.push(sides[1].map(numberIn));
  }
  const regular = (rows) => rows.length > 0 && rows[0].length > 0 && rows.every((row) => row.length === rows[0].length);
  return regular(found.yours) && regular(found.expected) ? { ...found, last } : null;
}

function matrices({ yours, expected, worst }) {
  const finite = [...yours, ...expected].flat().filter(Number.isFinite).map(Math.abs);
  const look = { max: Math.max(...finite, 1e-300), digits: 4, worst };
  return html("div", { class: "row compared" },
    table({ caption: "yours", rows: yours, ...look }).root, table({ caption: "expected", rows: expected, ...look }).root);
}

const pre = (text, classes = "") => html("pre", { class: classes, tabindex: 0 }, text);

export function copyButton(words, text) {
  const button = html("button", { type: "button", class: "copy", "aria-label": `${words}: ${text}`, click: async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    button.textContent = "copied";
    setTimeout(() => (button.textContent = words), 1500);
  } }, words);
  return button;
}

/// What there is to do after a pass: the next exercise, our solution beside the reader's, the walk-through.
function onwards(exercise) {
  const run = `./course run ${exercise.id.slice(0, 2)}`;
  const place = html("div", { class: "solutions" });
  const code = (caption, text) => {
    const block = html("code", {}, text);
    colour(block);
    return html("div", {}, html("p", { class: "label" }, caption), html("pre", { tabindex: 0 }, block));
  };
  const compare = html("button", { type: "button", click: async () => {
    if (place.hasChildNodes()) return place.replaceChildren();
    const { ok, words, yours, ours } = await fetch(`/api/solution?exercise=${exercise.id}`).then((response) => response.json()).catch(() => ({ words: "./course book does not answer." }));
    place.replaceChildren(...(ok ? [code("yours", yours), code("ours, one possibility of many", ours)] : [html("p", {}, words)]));
  } }, "Our solution beside yours");
  return [html("p", { class: "onwards" }, compare, html("span", {}, "Walk through the lesson: ", html("code", {}, run), copyButton("copy", run))), place];
}

function failure(exercise, place) {
  const { verdict } = exercise;
  const { details } = verdict;
  const found = compared(details);
  const words = verdict.words ?? "";
  const lines = (from, to) => details.slice(from, to).join("\n").replace(/^\n+|\s+$/g, "");
  const before = lines(0, found ? found.first : details.length);
  const after = found ? lines(found.last + 1) : "";
  return [
    verdict.failed_check ? html("p", { class: "check" }, `${verdict.checks_passed} of ${verdict.checks_total} checks pass. The first that does not: ${verdict.failed_check}`) : null,
    before ? pre(linked(before, exercise), verdict.state === "does_not_compile" ? "compiler" : "") : null,
    found ? matrices(found) : null,
    after ? pre(linked(after, exercise)) : null,
    html("p", { class: "summary" }, linked(verdict.summary, exercise)),
    verdict.explanation ? html("p", { class: "explanation" }, html("strong", {}, "Most likely: "), verdict.explanation) : null,
    data.live && callOf(exercise) ? html("p", {}, html("button", { type: "button", class: "load", click: () => load(exercise, place) }, "Show this call in the figure")) : null,
    verdict.output ? html("p", { class: "label" }, "your output:") : null,
    verdict.output ? pre(verdict.output + (verdict.output_cut ? "…" : ""), "output") : null,
    data.live ? html("p", { class: "small file" }, linked(exercise.file, exercise)) : null,
    words ? html("details", { class: "as-printed" }, html("summary", {}, "As the terminal says it"), pre(words)) : null,
  ];
}

/// Draws it again in its place.
export function drawVerdict(place, exercise) {
  const { verdict, checking } = exercise;
  place.dataset.state = exercise.state;
  place.classList.toggle("checking", checking === true);
  const head = html("p", { class: "state" }, html("span", { class: "mark", "aria-hidden": "true" }, mark(exercise)), ` ${exercise.id} ${exercise.title}: ${stateText(exercise)}`,
    checking ? html("span", { class: "busy" }, " · checking …") : null);
  if (verdict?.state === "passed") head.append(html("span", { class: "small" }, verdict.checks_total ? ` · all ${verdict.checks_total} checks pass` : ""));
  const open = place.querySelector("details.as-printed")?.open;
  place.replaceChildren(head);
  if (failing(exercise)) place.append(...failure(exercise, place).filter(Boolean));
  if (exercise.state === "passed") {
    if (verdict.output) place.append(html("p", { class: "label" }, "your output:"), pre(verdict.output, "output"));
    if (data.live) place.append(...onwards(exercise));
  }
  if (open && place.querySelector("details.as-printed")) place.querySelector("details.as-printed").open = true;
}
