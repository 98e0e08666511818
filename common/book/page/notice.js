// What a save has come to, at the top of whichever page is open and in its title: the reader is in the editor.

import { data, exercises, failing, listen } from "./course.js";
import { html, write } from "./dom.js";
import { mark, stateText } from "./verdict.js";

const title = document.title;
const bar = document.getElementById("notice");
const words = html("p", { role: "status" });
const ways = html("span", { class: "links" });
const close = html("button", { type: "button", "aria-label": "Close this message", click: () => hide() }, "×");

export const addressOf = ({ id, lesson }) =>
  lesson === data.lesson && document.getElementById(id) ? `#${id}` : `${data.root}lessons/${lesson}/${data.live ? "" : "index.html"}#${id}`;
const nextAfter = ({ id }) => {
  const all = [...exercises.values()];
  return all[all.findIndex((each) => each.id === id) + 1];
};
let shown = null; // the id of the exercise that it is about
const linkTo = (exercise, text) => html("a", { href: addressOf(exercise) }, text);

function hide() {
  shown = null;
  bar.classList.add("closed"); // what reads the page aloud hears of a text that changes, not of one that appears
  write(words, "");
  document.title = title;
}

function show(exercise) {
  const name = `${exercise.id} ${exercise.title}`;
  const now = exercise.checking ? "is being checked" : stateText(exercise);
  shown = exercise.id;
  bar.classList.remove("closed");
  bar.dataset.state = exercise.checking ? "checking" : failing(exercise) ? "failing" : exercise.state;
  const summary = failing(exercise) && !exercise.checking ? `. ${exercise.verdict.explanation || exercise.verdict.summary}` : "";
  write(words, exercise.checking ? `${name} ${now} …` : `${mark(exercise)} ${name}: ${now}${summary}`);
  document.title = `${exercise.checking ? "…" : mark(exercise)} ${exercise.id} · ${title}`;
  const next = exercise.state === "passed" && !exercise.checking ? nextAfter(exercise) : null;
  ways.replaceChildren(linkTo(exercise, "Show it"), ...(next ? [linkTo(next, `Next: ${next.id} ${next.title}`)] : []));
}

/// Its verdict, for somebody who looks on while they write; not for one who is reading here.
function goTo({ id }) {
  const place = document.querySelector(`.verdict[data-exercise="${id}"]`);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (place && !document.hasFocus()) place.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}

export function notices() {
  bar.append(words, ways, close);
  listen((kind, exercise) => {
    if (kind === "checking") show(exercise);
    if (kind === "verdict" && exercise.id === shown && exercise.state === "not_started") hide(); // the stub is back
    else if (kind === "verdict" && exercise.saved) {
      show(exercise);
      goTo(exercise);
    }
  });
}
