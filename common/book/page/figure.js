// One figure of a page: its text, its drawing, and the functions that it runs on.

import { decoded } from "./arrays.js";
import { add, html, write } from "./dom.js";
import { call, data, exercises, failing, listen } from "./course.js";

const page = Math.random().toString(36).slice(2, 8); // two pages do not take each other's turn
const slow = 150; // ms after which a picture that waits for an answer says so
const waits = ["building", "busy", "away", "fault"]; // states of an answer after which to ask again

const shapeText = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

/// What is wrong with the shape of an answer, or "". wanted: a shape, or one for each member of a
/// struct.
function shapeFault(value, wanted, name = "") {
  if (!wanted) return "";
  if (!Array.isArray(wanted)) {
    return Object.entries(wanted).map(([member, shape]) => shapeFault(value?.[member], shape, ` of ${member}`)).find(Boolean) ?? "";
  }
  const got = value?.shape;
  if (got && got.length === wanted.length && got.every((size, axis) => size === wanted[axis])) return "";
  return `the shape${name} is wrong: got ${got ? shapeText(got) : "none"}, expected ${shapeText(wanted)}.`;
}

const numbersIn = (value) =>
  typeof value === "number" ? [value] : value && typeof value === "object" ? Object.values(value.data ?? value).flatMap(numbersIn) : [];

/// The failing call of an exercise's verdict: {function, parameters, arguments, exercise}, or null.
export function callOf({ id, verdict }) {
  return verdict?.call ? { ...decoded(JSON.parse(verdict.call)), exercise: id } : null;
}

const figures = [];

/// Shows the failing call of an exercise in its figure, or in one of its own below `place`.
export async function load(exercise, place) {
  const input = callOf(exercise);
  const own = figures.filter(({ names }) => names.has(input.function));
  let figure = own.find((each) => each.shows(input)) ?? own[0];
  if (!figure) {
    const root = html("figure", { class: "live", "data-figure": `call-${exercise.id}` }, html("figcaption", {}, `${input.function}, called`));
    place.after(root);
    figure = new Figure(root, {});
  }
  figure.side = "auto";
  await figure.start(input);
  figure.root.scrollIntoView({ block: "center" });
}

/// module (or its promise): draws the figure (default); and shows: for a function that it calls, whether it can draw
/// these arguments, which are then figure.given(function).
export class Figure {
  constructor(root, module) {
    this.root = root;
    this.module = module;
    this.id = root.dataset.figure;
    this.side = "auto";
    this.lines = new Map(); // by function (and slot)
    this.names = new Set(); // of all functions that it calls
    this.about = html("div", {});
    this.body = html("div", { class: "figure-body", inert: Boolean(data.still) });
    this.trouble = html("div", { class: "trouble", role: "status" });
    this.foot = html("div", { class: "figure-foot" });
    root.append(this.about, this.body, this.trouble, this.foot);
    figures.push(this);
    listen((kind, exercise) => {
      if (kind !== "verdict" || exercise.lesson !== data.lesson) return;
      const input = callOf(exercise);
      if (input && this.shows(input)) this.start(input);
      else if (this.input?.exercise === exercise.id && !failing(exercise) && exercise.state !== "passed") this.start(null);
      else this.again();
    });
  }

  /// Draws it anew: as it begins (null), with an input, which is a call of a function, or with the
  /// call that fails, if there is one that it can show.
  async start(input = undefined) {
    this.lines = new Map();
    this.root.classList.remove("waiting");
    this.about.replaceChildren();
    this.body.replaceChildren();
    try {
      this.module = await this.module;
      this.input = input === undefined ? this.failingInput() : input;
      if (this.input) this.side = "auto";
      const draw = !this.input || this.shows(this.input) ? this.module.default : (await import("./call.js")).default;
      draw(this);
      this.say();
    } catch (error) {
      console.error(error);
      write(this.trouble, `This figure could not be drawn: ${error.message}`);
      this.trouble.hidden = false;
    }
    this.root.dataset.ready = "yes";
  }

  failingInput() {
    return [...exercises.values()].filter(({ lesson }) => lesson === data.lesson).map(callOf).find((each) => each && this.shows(each)) ?? null;
  }
  shows({ function: name, arguments: asked }) {
    return Boolean(this.module.shows?.[name]?.(...asked));
  }
  /// The arguments that it is to show of this function, or null.
  given(name) {
    return this.input?.function === name ? structuredClone(this.input.arguments) : null;
  }

  /// What to do, and what to notice.
  tell(text) {
    this.about.prepend(html("p", { class: "tell" }, text));
  }

  add(...children) {
    add(this.body, ...children);
  }

  /// A way to ask a function of the lesson: ask(...arguments). use(value, arguments) draws what came
  /// back, or gets null when the call failed. One question is under way at a time, and the newest
  /// waits. shape(arguments) gives the shape the answer must have; open allows what is not finite; side:
  /// whose function, if not that of the figure's switch. each: ask(…) gets a list of arguments for each call, and use
  /// a list of values.
  caller(name, use, { shape = () => null, open = false, slot = "", side = null, each = false } = {}) {
    const line = { name, use, shape, open, side, each, running: null, next: null, last: null, answer: null };
    line.slot = `${page}-${this.id}-${name}${slot}`;
    this.lines.set(name + slot, line);
    this.names.add(name);
    return (...asked) => this.ask(line, asked);
  }

  ask(line, asked) {
    line.last = line.next = asked;
    line.running ??= this.run(line).finally(() => (line.running = null));
    return line.running;
  }

  async run(line) {
    const here = () => [...this.lines.values()].includes(line); // until it is drawn anew
    while (line.next && here()) {
      const asked = line.next;
      line.next = null;
      const late = setTimeout(() => this.root.classList.toggle("waiting", here()), slow);
      const answer = await call({ function: line.name, [line.each ? "each" : "arguments"]: asked, side: line.side ?? this.side, slot: line.slot });
      clearTimeout(late);
      if (!here()) return;
      if (answer.state === "superseded") continue;
      this.root.classList.remove("waiting");
      const fault = !answer.ok ? "" : line.each ? answer.value.map((value, i) => shapeFault(value, line.shape(...asked[i]))).find(Boolean) : shapeFault(answer.value, line.shape(...asked));
      line.answer = fault ? { ok: false, side: answer.side, state: "wrong", words: fault } : answer;
      line.use(line.answer.ok ? answer.value : null, asked);
      this.say();
      if (waits.includes(answer.state)) {
        await new Promise((done) => setTimeout(done, 1000));
        line.next ??= asked;
      }
    }
  }

  /// Computes everything again: a function has changed, or the other side is wanted.
  again() {
    for (const line of this.lines.values()) if (line.last) this.ask(line, line.next ?? line.last);
    this.say();
  }

  exerciseOf(name) {
    const parts = [...exercises.values()].filter((each) => each.lesson === data.lesson);
    return parts.find((each) => each.functions.includes(name));
  }

  say() {
    this.sayTrouble();
    this.sayInput();
    this.saySides();
  }

  sayTrouble() {
    const words = new Set();
    let wrong = false;
    for (const { answer, name, open } of this.lines.values()) {
      if (!answer) continue;
      const exercise = this.exerciseOf(name);
      if (!answer.ok) words.add(!exercise || answer.words.includes(name) || answer.state === "still" ? answer.words : `${name}: ${answer.words}`);
      else if (!open && numbersIn(answer.value).some((number) => !Number.isFinite(number))) words.add(`${name} answers with numbers that are not finite.`);
      if (answer.side === "theirs" && failing(exercise) && exercise.state !== "does_not_compile") {
        wrong = true;
        words.add(`${exercise.id} ${exercise.title}: ${exercise.verdict.summary}`);
      }
      if (answer.printed) words.add(`${name} printed: ${answer.printed.slice(0, 200)}`);
    }
    const text = [...words].join("\n");
    write(this.trouble, text);
    this.trouble.hidden = text === "";
    const failed = [...this.lines.values()].filter(({ answer }) => answer && !answer.ok);
    const waiting = failed.length > 0 && failed.every(({ answer }) => [...waits, "still", "no_model"].includes(answer.state));
    this.trouble.classList.toggle("calm", waiting);
    this.root.classList.toggle("wrong", wrong || (failed.length > 0 && !waiting));
    this.root.classList.toggle("failing", failed.length > 0);
  }

  sayInput() {
    const { input } = this;
    this.loaded ??= html("p", { class: "loaded" });
    this.loaded.hidden = !input;
    if (!input) return;
    const exercise = exercises.get(input.exercise);
    const check = exercise.verdict?.failed_check;
    write(this.loaded, failing(exercise) ? `Loaded: the call that fails${check ? `, of the check “${check}”` : ""}.` : `Loaded: the call that failed before. ${exercise.id} passes now.`);
    this.about.append(this.loaded);
  }

  saySides() {
    if (![...this.lines.values()].some(({ name }) => this.exerciseOf(name))) return; // it runs on no function of the reader's
    this.switch ??= this.makeSwitch();
    const { words, buttons } = this.switch;
    const used = [...this.lines.values()].filter((line) => line.answer?.side);
    const name = (line) => `${line.answer.side === "theirs" ? "your" : "our"} ${line.name}`;
    const elsewhere = data.live ? "" : " This page has them as WebAssembly. To run it on your own, get the course, write them, and open ./course book.";
    write(words, used.length ? `Runs on ${[...new Set(used.map(name))].join(", ")}.${elsewhere}` : "");
    const own = used.length > 0 && used.every((line) => line.answer.side === "theirs");
    const shown = this.side === "auto" ? (own ? "theirs" : "ours") : this.side;
    for (const [side, button] of Object.entries(buttons)) button.setAttribute("aria-pressed", side === shown);
  }

  makeSwitch() {
    const words = html("span", { class: "runs-on", role: "status" });
    const button = (side, text) =>
      html("button", { type: "button", "data-side": side, click: () => { this.side = side; this.again(); } }, text);
    const buttons = data.live ? { theirs: button("theirs", "your functions"), ours: button("ours", "our solution") } : {};
    this.foot.append(words, html("span", { class: "foot-buttons" }, html("button", { type: "button", click: () => this.start(null) }, "start again"),
      html("span", { class: "sides", role: "group", "aria-label": "Whose functions draw this figure" }, ...Object.values(buttons))));
    return { words, buttons };
  }
}
