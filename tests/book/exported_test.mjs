// The pages as ./course book --export writes them: files on any server, whose figures run on our solutions as
// WebAssembly.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { answered, moved } from "./figures_test.mjs";
import { bookProgram, build, lessons, load, until } from "./support.mjs";

/// The folder of an export with these options, which is made once.
function written(...options) {
  const folder = path.join(build, `exported${options.join("")}`);
  if (!made.has(folder)) {
    fs.rmSync(folder, { recursive: true, force: true });
    execFileSync(bookProgram, ["--export", folder, ...options], { stdio: ["ignore", "ignore", "inherit"] });
    made.add(folder);
  }
  return folder;
}
const made = new Set();

/// Serves the folder, under a path as on GitHub Pages, while work(open) runs: open(address) opens a page and notes
/// its faults.
async function served(book, folder, work) {
  const server = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", path.dirname(folder)], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [words] = await once(server.stdout.setEncoding("utf8"), "data");
    const root = `http://127.0.0.1:${words.match(/port (\d+)/)[1]}/${path.basename(folder)}/`;
    await work(async (address) => load(await book.context.newPage(), root, address));
  } finally {
    server.kill();
  }
}

const flat = (value) => (value !== null && typeof value === "object" ? Object.keys(value).sort().flatMap((key) => flat(value[key])) : [value]);
const alike = (a, b) => a === b || Math.abs(a - b) <= 1e-12 * (1 + Math.abs(b));

/// The questions to which the page's module gives another answer than the native solutions did.
async function differing(page, all) {
  const answers = await page.evaluate(async (questions) => {
    const { ask } = await import(new URL("../../book/module.js", document.baseURI));
    return Promise.all(questions.map(ask));
  }, all.map(({ question }) => question));
  return all.filter(({ answer }, i) => {
    const [a, b] = [flat(answers[i].value ?? answers[i].words), flat(answer.value ?? answer.words)];
    return a.length !== b.length || !a.every((each, k) => alike(each, b[k]));
  }).map(({ question }) => question);
}

export default function (test, book) {
  const withEmscripten = spawnSync("em++", ["--version"]).status === 0 ? test : (name) => console.log(`# not looked at, em++ is missing: ${name}`);

  withEmscripten("exported pages: the module has at most 3 MB", () => {
    const packed = ["js", "wasm"].map((type) => zlib.gzipSync(fs.readFileSync(path.join(written(), `book/course_module.${type}`))).length);
    console.log(`# the exported module has ${packed[0] + packed[1] >> 10} KiB, compressed`);
    assert.ok(packed[0] + packed[1] < 3 << 20);
  });

  for (const lesson of lessons.filter(({ figures }) => figures)) {
    withEmscripten(`exported pages, ${lesson.id}: every figure moves, and the module answers each call as our native solutions do`, () =>
      served(book(), written(), async (open) => {
        const page = await open(`lessons/${lesson.folder}/`);
        const before = Date.now() - page.took;
        const running = await page.locator("figure.live:not([data-figure=looks])").count();
        await until(() => page.locator(".runs-on").allTextContents(), (words) => words.filter((each) => /^Runs on our .*as WebAssembly/.test(each)).length === running);
        console.log(`# ${lesson.folder}, exported: there after ${page.took} ms, alive after ${Date.now() - before} ms`);
        for (const { id } of lesson.figures) await moved[id]({ page, figure: page.locator(`figure[data-figure="${id}"]`), live: false });
        const troubles = await page.locator("figure.live .trouble:not(.calm)").evaluateAll((all) => all.filter((each) => !each.hidden).map((each) => each.closest("figure").dataset.figure + ": " + each.textContent));
        const calls = answered.filter(({ question }) => question.lesson === lesson.folder);
        assert.ok(running === 0 || calls.length > 0, "the figures made no call that could be compared");
        assert.deepEqual({ troubles, faults: page.faults, differing: await differing(page, calls) }, { troubles: [], faults: [], differing: [] });
        await page.close();
      }));
  }

  withEmscripten("exported pages: a call that does not return is ended, and the next one is answered", () =>
    served(book(), written(), async (open) => {
      const page = await open(`lessons/${lessons[0].folder}/`);
      const answers = await page.evaluate(async () => {
        const { ask } = await import(new URL("../../book/module.js", document.baseURI));
        const of = (name, ...given) => ({ lesson: "02_score_scaling", function: name, arguments: given });
        const row = { shape: [1, 1], data: [3] };
        return Promise.all([ask(of("dot_product_moments", 1000000, 1000000, [1])), ask(of("raw_scores", row, row)), ask(of("raw_scores", row, { shape: [1, 2], data: [1, 2] }))]);
      });
      assert.deepEqual(answers, [
        { ok: false, state: "ran_too_long", words: "dot_product_moments did not return within 6 s" },
        { ok: true, value: { shape: [1, 1], data: [9] } },
        { ok: false, state: "threw", words: "raw_scores threw std::invalid_argument: raw_scores: Q and K must share d_k; Q is (1, 1), K is (1, 2)" },
      ]);
      await page.close();
    }));

  test("exported pages without emscripten: figures are pictures without handles, and say so; the map goes on by itself", () =>
    served(book(), written("--still"), async (open) => {
      const first = await open("");
      await first.waitForSelector('.map-goes-on[data-done="yes"]');
      assert.match(await first.locator(".map-goes-on").textContent(), /One morning Anna.{20}/);
      const page = await open(`lessons/${lessons.find(({ id }) => id === "03").folder}/`);
      const figure = page.locator('figure[data-figure="softmax"]');
      assert.match(await figure.locator(".trouble").textContent(), /^A picture only/);
      assert.equal(await figure.locator(".handle .knob, button").evaluateAll((all) => all.filter((each) => each.checkVisibility()).length), 0);
      assert.deepEqual([...first.faults, ...page.faults], []);
      await first.close();
      await page.close();
    }));
}
