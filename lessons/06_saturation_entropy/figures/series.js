// Many questions to one function, one after the other.

import { listen } from "../../../book/course.js";

/// begin() starts them; restart() is told, and forgets what came before. take(index, value,
/// arguments) gets each answer as it comes; end(whole) is called when all have come, or one failed.
/// They begin anew by themselves when their function has changed, or the other side is asked.
export function series(figure, name, { questions, restart = () => {}, take, end = () => {}, shape }) {
  let at = 0;
  let state = "idle"; // or "running", or "ended"
  let side = null; // who answers
  let changed = false;
  listen((kind, exercise) => {
    if (kind === "verdict" && exercise === figure.exerciseOf(name)) changed = true;
  });
  const ask = figure.caller(name, (value, asked) => {
    if (state === "idle") return;
    const now = figure.lines.get(name).answer.side ?? null;
    if (state === "ended" && value === null) {
      restart();
      return finish(false);
    }
    const other = changed || now !== side;
    if (value !== null && other && (state === "ended" || at > 0)) return begin();
    if (state === "ended" || !asked.every((argument, i) => argument === questions[at][i])) return;
    side = now;
    changed = false;
    if (value === null) return finish(false);
    take(at, value, asked);
    if (++at === questions.length) finish(true);
    else ask(...questions[at]);
  }, { shape });
  function finish(whole) {
    state = "ended";
    if (!whole) side = null; // whoever answers next is another
    end(whole);
  }
  function begin() {
    at = 0;
    state = "running";
    changed = false;
    restart();
    ask(...questions[0]);
  }
  return { begin, stop: () => { state = "idle"; end(false); } };
}
