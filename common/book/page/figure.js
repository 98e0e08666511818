// One figure of a page: its text, its drawing, and the functions that it runs on.

import { html, write } from "./dom.js";
import { call, data, exercises, listen } from "./course.js";

const page = Math.random().toString(36).slice(2, 8); // two pages do not replace each other's calls

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

export class Figure {
  constructor(root) {
    this.root = root;
    this.id = root.dataset.figure;
    this.side = "auto";
    this.lines = new Map(); // by function (and slot)
    this.body = html("div", { class: "figure-body" });
    this.trouble = html("div", { class: "trouble", role: "status" });
    this.foot = html("div", { class: "figure-foot" });
    root.append(this.body, this.trouble, this.foot);
    listen((kind, exercise) => {
      if (kind === "verdict" && exercise.lesson === data.lesson) this.again();
    });
  }

  /// What to do, and what to notice.
  tell(text) {
    this.root.querySelector("figcaption").after(html("p", { class: "tell" }, text));
  }

  add(...children) {
    this.body.append(...children);
    return children[0];
  }

  /// Returns ask(...arguments), which calls a function of the lesson. use(value, arguments) draws
  /// the answer, or gets null if the call failed. One call is under way at a time, and the newest
  /// waits. shape(arguments) returns the shape that the answer must have; open allows NaN and
  /// infinities.
  caller(name, use, { shape = () => null, open = false, slot = "" } = {}) {
    const line = { name, use, shape, open, running: null, next: null, last: null, answer: null };
    line.slot = `${page}-${this.id}-${name}${slot}`;
    this.lines.set(name + slot, line);
    return (...asked) => {
      line.last = line.next = asked;
      line.running ??= this.run(line).finally(() => (line.running = null));
      return line.running;
    };
  }

  async run(line) {
    while (line.next) {
      const asked = line.next;
      line.next = null;
      const answer = await call({
        figure: this.id, function: line.name, arguments: asked, side: this.side, slot: line.slot,
      });
      if (answer.state === "superseded") continue;
      const fault = answer.ok ? shapeFault(answer.value, line.shape(...asked)) : "";
      line.answer = fault ? { ok: false, side: answer.side, state: "wrong", words: fault } : answer;
      if (answer.state !== "still") line.use(line.answer.ok ? answer.value : null, asked);
      this.say();
      if (["building", "busy", "away"].includes(answer.state)) {
        await new Promise((done) => setTimeout(done, 1000));
        line.next ??= asked;
      }
    }
  }

  /// Computes everything again: a function has changed, or the other side is wanted.
  again() {
    for (const line of this.lines.values()) {
      if (!line.last) continue;
      line.next = line.last;
      line.running ??= this.run(line).finally(() => (line.running = null));
    }
    this.say();
  }

  exerciseOf(name) {
    const parts = [...exercises.values()].filter((each) => each.lesson === data.lesson);
    const named = (this.functions ?? {})[name];
    return parts.find((each) => each.id === named) ?? parts.find((each) => each.title === name);
  }

  say() {
    this.sayTrouble();
    this.saySides();
  }

  sayTrouble() {
    const words = new Set();
    for (const line of this.lines.values()) {
      const { answer, name } = line;
      if (!answer) continue;
      const exercise = this.exerciseOf(name);
      if (!answer.ok) words.add(answer.words.startsWith(name) || answer.state === "still" ? answer.words : `${name}: ${answer.words}`);
      else if (!line.open && numbersIn(answer.value).some((number) => !Number.isFinite(number))) words.add(`${name} answers with numbers that are not finite.`);
      const verdict = exercise?.verdict;
      if (answer.side === "theirs" && verdict && !["passed", "not_started", "does_not_compile"].includes(verdict.state)) {
        words.add(`${exercise.id} ${exercise.title}: ${verdict.summary}${verdict.explanation ? ` Most likely: ${verdict.explanation}` : ""}`);
      }
      if (answer.printed) words.add(`${name} printed: ${answer.printed.slice(0, 200)}`);
    }
    const text = [...words].join("\n");
    write(this.trouble, text);
    this.trouble.hidden = text === "";
    this.root.classList.toggle("failing", [...this.lines.values()].some((line) => line.answer && !line.answer.ok && line.answer.state !== "still"));
  }

  saySides() {
    if (this.lines.size === 0) return; // it runs on no function, and says itself on what
    if (!data.live) {
      write(this.foot, "Computed when this page was made, by the course's own functions. To move the figures on your own functions, run ./course book.");
      return;
    }
    this.switch ??= this.makeSwitch();
    const used = [...this.lines.values()].filter((line) => line.answer?.side);
    const name = (line) => `${line.answer.side === "theirs" ? "your" : "our"} ${line.name}`;
    write(this.switch.words, used.length ? `Runs on ${[...new Set(used.map(name))].join(", ")}.` : "");
    const shown = this.side === "auto" ? (used.length && used.every((line) => line.answer.side === "theirs") ? "theirs" : "ours") : this.side;
    for (const [side, button] of Object.entries(this.switch.buttons)) button.setAttribute("aria-pressed", side === shown);
  }

  makeSwitch() {
    const words = html("span", { class: "runs-on", role: "status" });
    const button = (side, text) =>
      html("button", { type: "button", "data-side": side, click: () => { this.side = side; this.again(); } }, text);
    const buttons = { theirs: button("theirs", "your functions"), ours: button("ours", "our solution") };
    this.foot.append(words, html("span", { class: "sides", role: "group", "aria-label": "Whose functions draw this figure" }, buttons.theirs, buttons.ours));
    return { words, buttons };
  }
}
