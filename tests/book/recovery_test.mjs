// What happens to a book that is open: many tabs, and a server that ends and comes back.

import assert from "node:assert/strict";
import fs from "node:fs";
import { Book, exerciseFile, lessons, near, numbersIn, softmax, until, withText } from "./support.mjs";

const weightsOf = async (figure) => (await figure.locator('svg[aria-label="Weights"] [data-value]').allTextContents()).map((word) => numbersIn(word)[0]);
const scoresOf = (figure) => figure.locator('.handle[aria-label^="score of"]').evaluateAll((all) => all.map((each) => Number(each.getAttribute("aria-valuenow"))));
const isTrue = async (figure) => near(await weightsOf(figure), softmax(await scoresOf(figure)), 0.00051);

/// Presses an arrow key on a handle: ms until each answer is drawn.
const drag = (figure, times) => figure.evaluate(async (root, count) => {
  const handle = root.querySelector(".handle");
  const shown = root.querySelector('svg[aria-label="Weights"] [data-value]');
  const took = [];
  for (let i = 0; i < count; ++i) {
    const before = performance.now();
    const drawn = new Promise((done) => new MutationObserver((_, watch) => done(watch.disconnect())).observe(shown, { childList: true, characterData: true, subtree: true }));
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowDown" : "ArrowUp" }));
    await drawn;
    took.push(performance.now() - before);
  }
  return took.sort((a, b) => a - b);
}, times);

export default function (test, book) {
  test("ten tabs: all are drawn and told of a save, and a drag is answered at once", async () => {
    const pages = [];
    for (let i = 0; i < 10; ++i) pages.push(await book().open(`lessons/${lessons[i % 5].folder}/`));
    pages.push(await book().open("lessons/03_softmax/"));
    const figure = pages[10].locator('figure[data-figure="softmax"]');
    await until(() => isTrue(figure), Boolean, 120);
    const took = await drag(figure, 40);
    console.log(`# with eleven tabs a drag was answered after ${took[20].toFixed(1)} ms (median), ${took[39].toFixed(1)} ms at most`);
    assert.ok(took[20] < 50, `median ${took[20]} ms`);
    const file = exerciseFile("03_softmax", "1_softmax.cpp");
    await withText(file, `${fs.readFileSync(file)}\n#error`, async () => {
      for (const page of pages) await until(() => page.locator("#notice").textContent(), (words) => words.includes("03.1 softmax: does not compile"), 180);
      assert.match(await pages[0].title(), /^✗ 03\.1 · 01 /);
    });
    for (const page of pages) await page.close();
  });

  test("the server ends and is started again: the page says so, and goes on by itself", async () => {
    const own = await Book.start();
    const page = await own.open("lessons/03_softmax/");
    const figure = page.locator('figure[data-figure="softmax"]');
    await until(() => isTrue(figure), Boolean, 120);
    await own.end();
    await until(() => page.locator("#connection").textContent(), (words) => words.includes("does not answer. Start it again"));
    await figure.locator(".handle").first().press("ArrowUp");
    await until(() => weightsOf(figure), (all) => all.every((each) => each === undefined)); // none under new scores
    await own.serve();
    await until(() => page.locator("#connection").textContent(), (words) => words === "");
    await until(() => isTrue(figure));
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    own.server.kill("SIGSTOP"); // as when a laptop sleeps
    await figure.locator(".handle").first().press("ArrowUp");
    await new Promise((done) => setTimeout(done, 1500));
    assert.ok(await figure.evaluate((each) => each.classList.contains("waiting")));
    own.server.kill("SIGCONT");
    await until(() => isTrue(figure));
    await own.stop();
  });
}
