// The page's knowledge of the course: its exercises with their verdicts, kept up to date by the
// server's events, and calls of functions.

import { decoded, encoded } from "./arrays.js";

export const data = JSON.parse(document.getElementById("course-data").textContent);
export const exercises = new Map();
const listeners = new Set();

for (const lesson of data.lessons) {
  for (const exercise of lesson.exercises) exercises.set(exercise.id, { ...exercise, lesson: lesson.folder });
}

/// heard(kind, exercise): kind is "checking", "verdict" or "connection" ("here", "away", or "stranger" where
/// the server does not know this page's token).
export function listen(heard) {
  listeners.add(heard);
}

function tell(kind, exercise) {
  for (const heard of listeners) heard(kind, exercise);
}

function take(exercise) {
  const known = exercises.get(exercise.id);
  if (!known) return;
  const saved = known.checking === true && !exercise.checking; // it was graded because it was saved
  Object.assign(known, { verdict: null, checking: false }, exercise, { saved });
  tell("verdict", known);
}

/// What happened while nobody listened. Tells whether the server is there, and knows this page.
async function catchUp() {
  const response = await fetch("/api/state").catch(() => null);
  if (!response?.ok) return tell("connection", response?.status === 403 ? "stranger" : "away");
  tell("connection", "here");
  for (const lesson of (await response.json()).lessons) {
    for (const exercise of lesson.exercises) {
      const { verdict, checking } = exercises.get(exercise.id) ?? {};
      if (JSON.stringify([verdict, checking]) !== JSON.stringify([exercise.verdict, exercise.checking])) take(exercise);
    }
  }
}

export function follow() {
  if (!data.live) return;
  const events = window.SharedWorker ? new SharedWorker("/book/events.js").port : new Worker("/book/events.js");
  events.onmessage = ({ data: { name, data: said } }) => {
    if (name === "connection") return catchUp();
    if (name === "verdict") return take(said);
    const exercise = exercises.get(said.exercise);
    if (!exercise) return;
    exercise.checking = true;
    tell("checking", exercise);
  };
  addEventListener("pagehide", (event) => event.persisted || events.postMessage("leave"));
  addEventListener("visibilitychange", () => document.hidden || catchUp()); // it may have been frozen
}

export const stranger = "This page belongs to another ./course book. Open the address that the one that runs has printed in its terminal.";
export const ended = "./course book does not answer. Start it again in a terminal: this page then goes on by itself.";

/// Whether the reader's function is there and not right.
export const failing = (exercise) => Boolean(exercise) && !["passed", "not_started", "not_graded"].includes(exercise.state);

if (!data.live && !data.still && document.querySelector("figure.live")) import("./module.js"); // it is large

/// Asks the server, or on an exported page our solutions; an answer is always {ok, side, value, printed} or
/// {ok: false, state, words}. The question's lesson is the page's, if it names no other. Many calls
/// of a function are one question, {each: [arguments, …]}, and their values one answer's.
export async function call(question) {
  const asked = encoded({ lesson: data.lesson, ...question });
  if (data.live) return post(asked);
  if (data.still) return { ok: false, state: "still", words: "A picture only: this page was made without our solutions. ./course book runs it." };
  const answer = await (await import("./module.js")).ask(asked);
  return answer.ok ? { ...answer, side: "ours", value: decoded(answer.value) } : answer;
}

async function post(asked) {
  try {
    const response = await fetch("/api/call", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) });
    if (response.status === 403) return { ok: false, state: "away", words: stranger };
    const answer = await response.json();
    return answer.ok ? { ...answer, value: decoded(answer.value) } : answer;
  } catch {
    return { ok: false, state: "away", words: ended };
  }
}
