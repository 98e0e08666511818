// Brings a page to life: formulas, colours, hints, verdicts, figures.

import { html, write } from "./dom.js";
import { editors } from "./editor.js";
import { data, ended, exercises, follow, listen, stranger } from "./course.js";
import { colour } from "./cpp.js";
import { Figure } from "./figure.js";
import { strip } from "./map_strip.js";
import { addressOf, notices } from "./notice.js";
import { copyButton, drawVerdict, mark, stateText } from "./verdict.js";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function load(element) {
  return new Promise((done, failed) => {
    element.addEventListener("load", done);
    element.addEventListener("error", failed);
    document.head.append(element);
  });
}

async function formulas() {
  const found = all("x-equation");
  if (found.length === 0) return;
  try {
    if (!data.katex) throw new Error("KaTeX is not there");
    await Promise.all([
      load(html("link", { rel: "stylesheet", href: `${data.root}katex/katex.min.css` })),
      load(html("script", { src: `${data.root}katex/katex.min.js` })),
    ]);
  } catch {
    document.getElementById("content").prepend(
      html("p", { class: "missing", role: "note" }, "Formulas are shown as their source, because KaTeX is not installed (Debian and Ubuntu: sudo apt-get install libjs-katex)."));
    for (const each of found) each.classList.add("source");
    return;
  }
  for (const each of found) {
    const source = each.textContent;
    const displayMode = each.getAttribute("type") === "display";
    each.setAttribute("data-source", source);
    window.katex.render(source, each, { displayMode, throwOnError: false });
    inColour(each, source);
    const mark = each.nextSibling?.data?.match(/^[.,;:)?!]+/)?.[0]; // does not begin a line
    const last = each.querySelector(".katex-html > .base:last-child");
    if (displayMode || !mark || !last) continue;
    each.nextSibling.deleteData(0, mark.length);
    last.append(mark);
  }
}

const roles = { Q: "q", q: "q", K: "k", k: "k", V: "v", v: "v", S: "scores", s: "scores", A: "weights", p: "weights", O: "output", output: "output" };

/// The letters of a formula about attention in their colours. Below a line, q, k and v are names or count something.
function inColour(formula, source) {
  if (!/(?<![A-Za-z\\])[QKVq](?![A-Za-z])|e\^\{s/.test(source)) return;
  for (const letter of all(".mathnormal, .text > .mord", formula)) {
    const role = roles[letter.textContent];
    const named = /[qkv]/.test(letter.textContent) && (letter.closest(".msupsub, .op-limits") || !/[Qq]/.test(source));
    if (role && !named) letter.classList.add("own", role);
  }
}

/// Each hint is offered once the one before has been opened.
function hints() {
  for (const section of all("section.exercise")) {
    const steps = all("details", section).filter((each) => /^Hint \d/.test(each.querySelector("summary")?.textContent ?? ""));
    steps.forEach((step, i) => {
      step.classList.add("hint");
      step.hidden = i > 0;
      step.addEventListener("toggle", () => {
        if (step.open && steps[i + 1]) steps[i + 1].hidden = false;
      });
    });
  }
}

function files() {
  for (const link of all("a[data-path]")) {
    const path = link.dataset.path;
    if (!data.live) link.replaceWith(html("code", {}, link.textContent));
    else link.after(copyButton("copy path", path));
  }
}

const link = (text, href, more = {}) => html("a", { href, ...more }, text);
const pageOf = (folder) => `${data.root}lessons/${folder}/${data.live ? "" : "index.html"}`;

function ways() {
  const at = data.lessons.findIndex((lesson) => lesson.folder === data.lesson);
  const nav = document.getElementById("ways");
  if (!data.live) document.getElementById("home").href = `${data.root}index.html`;
  for (const [step, words] of [[-1, "← "], [1, " →"]]) {
    const other = at < 0 ? null : data.lessons[at + step];
    if (other) nav.append(link(step < 0 ? words + other.id : other.id + words, pageOf(other.folder), { title: `${other.id} ${other.title}`, rel: step < 0 ? "prev" : "next" }));
  }
  const next = at < 0 ? null : data.lessons[at + 1];
  if (next) document.getElementById("content").append(html("nav", { class: "next-lesson", "aria-label": "Next lesson" }, html("span", {}, "Next lesson"), link(`${next.id} ${next.title}`, pageOf(next.folder)), html("span", {}, next.idea)));
}

function contents() {
  const nav = document.getElementById("contents");
  const items = all("main h2").map((heading) => {
    const id = heading.closest("section.exercise")?.id ?? heading.id;
    const exercise = heading.closest("section.exercise")?.dataset.exercise;
    return html("li", exercise ? { "data-exercise": exercise } : {}, link([...heading.cloneNode(true).childNodes], `#${id}`));
  });
  if (items.length > 2) nav.append(html("details", {}, html("summary", {}, "On this page"), html("ul", {}, items)));
  const wide = matchMedia("(min-width: 79rem)");
  const open = () => nav.querySelector("details")?.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", open);
  open();
}

function showExercise(exercise) {
  for (const place of all(`.verdict[data-exercise="${exercise.id}"]`)) drawVerdict(place, exercise);
  for (const item of all(`li[data-exercise="${exercise.id}"]`)) {
    item.querySelector(":scope > .tick")?.remove();
    item.prepend(html("span", { class: "tick", "data-state": exercise.state, role: "img", "aria-label": stateText(exercise) }, exercise.checking ? "…" : mark(exercise)));
  }
  goOn();
  for (const item of all("li[data-lesson]")) {
    const lesson = data.lessons.find((each) => each.folder === item.dataset.lesson);
    const passed = lesson.exercises.filter((each) => exercises.get(each.id).state === "passed").length;
    item.dataset.done = passed === lesson.exercises.length;
    item.style.setProperty("--done", `${(100 * passed) / lesson.exercises.length}%`);
  }
}

/// On the list of lessons: how much is done, and where the reader is.
function goOn() {
  const place = document.getElementById("go-on");
  if (!place || !data.live) return;
  const list = [...exercises.values()];
  const passed = list.filter(({ state }) => state === "passed").length;
  const at = Math.max(list.findIndex(({ id }) => id === data.place), 0);
  const next = [...list.slice(at), ...list.slice(0, at)].find(({ state }) => state !== "passed");
  place.style.setProperty("--done", `${(100 * passed) / list.length}%`);
  place.replaceChildren(html("span", {}, `${passed} of ${list.length} exercises passed`),
    next ? link(`Go on here: ${next.id} ${next.title}`, addressOf(next)) : html("span", {}, "You have passed every exercise there is."));
  for (const item of all("li[data-exercise]")) item.classList.toggle("here", data.live && item.dataset.exercise === next?.id);
}

function theme() {
  const button = document.getElementById("theme");
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const say = () => {
    button.textContent = dark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use ${dark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    const chosen = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = chosen;
    try { localStorage.setItem("theme", chosen); } catch { /* only for this page, then */ }
    say();
  });
  say();
}

const figures = () => Promise.all(all("figure.live").map((root) => new Figure(root, import(new URL(root.dataset.src, document.baseURI))).start()));

/// What is wider than its place can be scrolled by the keyboard, too.
function scrollable() {
  for (const each of all('x-equation[type="display"], main p:has(> img), .wide')) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    else each.removeAttribute("tabindex");
  }
}

function print() {
  addEventListener("beforeprint", () => all("details").forEach((each) => { if (!each.open) { each.open = true; each.dataset.forPrint = "yes"; } }));
  addEventListener("afterprint", () => all("details[data-for-print]").forEach((each) => { each.open = false; delete each.dataset.forPrint; }));
}

theme();
ways();
strip();
hints();
files();
if (data.live) editors(document.getElementById("foot"));
for (const quote of all("main > blockquote")) quote.hidden = data.live && quote.textContent.includes("./course book"); // it is open
contents();
print();
for (const code of all("code.language-cpp")) colour(code);
for (const table of all("main > table, section > table")) table.replaceWith(html("div", { class: "wide", role: "group", "aria-label": "table" }, table.cloneNode(true)));
for (const corner of all("main th:empty")) corner.replaceWith(html("td"));
for (const block of all("main pre")) block.tabIndex = 0;
for (const exercise of exercises.values()) showExercise(exercise);
notices();
listen((kind, exercise) => {
  if (kind === "connection") write(document.getElementById("connection"), { here: "", away: ended, stranger }[exercise]);
  else showExercise(exercise);
});
const map = document.getElementById("map");
await Promise.all([formulas(), figures(), map && import("./map.js").then(({ start }) => start(map))]);
const watch = new ResizeObserver(scrollable);
for (const each of all('x-equation[type="display"], main p > img, .wide > *')) watch.observe(each);
addEventListener("resize", scrollable);
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
follow();
document.documentElement.dataset.ready = "yes";
