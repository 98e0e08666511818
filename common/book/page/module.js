// In place of the server: our solutions as WebAssembly, in a worker, which is ended when a call does not return.

const seconds = 6;
const fetched = fetch(new URL("course_module.wasm", import.meta.url)).then((response) => response.arrayBuffer()).then(WebAssembly.compile);
fetched.catch(() => null); // each call then reports it
let worker = null;
let turn = Promise.resolve(); // one call at a time

/// What the worker says next to this; "crashed" if it fails, "late" if it takes longer than it may.
function reply(message, limited) {
  return new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => { event.preventDefault(); done("crashed"); };
    if (limited) setTimeout(done, 1000 * seconds, "late");
    worker.postMessage(message);
  });
}

async function answer(question) {
  if (!worker) {
    const compiled = await fetched.catch(() => null);
    if (!compiled) return { ok: false, state: "away", words: "Our solutions could not be loaded. Load this page again." };
    worker = new Worker(new URL("module_worker.js", import.meta.url), { type: "module" });
    await reply(compiled, false);
  }
  const said = await reply(JSON.stringify(question), true);
  if (said !== "crashed" && said !== "late") return JSON.parse(said);
  worker.terminate();
  worker = null;
  return { ok: false, state: said === "late" ? "ran_too_long" : "crashed", words: `${question.function} ${said === "late" ? `did not return within ${seconds} s` : said}` };
}

/// {lesson, function, arguments} as the server reads them; and its answers.
export function ask(question) {
  return (turn = turn.then(() => answer(question)));
}
