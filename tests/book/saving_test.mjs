// A save, as a reader sees it: the tick, the verdict, and whose function draws the figure.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { exerciseFile, numbersIn, root, softmax, until, withText } from "./support.mjs";

const lesson = "03_softmax";
const file = (name) => exerciseFile(lesson, name);
const body = /(\/\/ solution .*\n)[^]*?(\n\s*\/\/ end)/;
const solution = (name) => fs.readFileSync(path.join(root, "solutions", lesson, name), "utf8");

export default function (test, book) {
  test("the three functions of lesson 03 are written: ticks come, and the figure turns over to them", async () => {
    const page = await book().open(`lessons/${lesson}/`);
    const state = (id) => page.locator(`.verdict[data-exercise="${id}"]`).getAttribute("data-state");
    const figure = page.locator('figure[data-figure="softmax"]');
    const runsOn = () => figure.locator(".runs-on").textContent();
    await until(runsOn, (words) => words.includes("our softmax_rows"), 120);

    await withText(file("1_softmax.cpp"), solution("1_softmax.cpp"), () =>
      withText(file("3_softmax_jacobian.cpp"), solution("3_softmax_jacobian.cpp"), async () => {
        await until(() => state("03.1"), (now) => now === "passed", 120);
        await until(() => state("03.3"), (now) => now === "passed", 120);
        await withText(file("2_softmax_rows.cpp"), solution("2_softmax_rows.cpp"), async () => {
          const saved = Date.now();
          await until(() => state("03.2"), (now) => now === "passed", 120);
          console.log(`# a save was seen after ${Date.now() - saved} ms`);
          await until(runsOn, (words) => words.includes("your softmax_rows"));
          assert.equal(await page.locator('#contents li[data-exercise="03.2"] .tick').textContent(), "✓");
        });
        await until(() => state("03.2"), (now) => now === "not_started", 120);
      }));
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  test("a wrong function is seen wrong in the figure, and what went wrong in the verdict", async () => {
    const page = await book().open(`lessons/${lesson}/`);
    const figure = page.locator('figure[data-figure="softmax"]');
    const verdict = page.locator('.verdict[data-exercise="03.2"]');
    const weights = async () => (await figure.locator('svg[aria-label="Weights"] [data-value]').allTextContents()).map((word) => numbersIn(word)[0]);
    // One sum for the whole matrix, and without the maximum.
    const wrong = solution("2_softmax_rows.cpp").replace(body, "$1    Matrix all = xt::exp(scores);\n    const double total = xt::sum(all)();\n    all /= 2 * total;\n    return all;$2");
    assert.notEqual(wrong, solution("2_softmax_rows.cpp"));
    await withText(file("2_softmax_rows.cpp"), wrong, async () => {
      await until(() => verdict.getAttribute("data-state"), (now) => now === "wrong", 120);
      assert.equal(await verdict.locator(".compared table").count(), 2);
      assert.equal(await verdict.locator("td.worst").count() > 0, true);
      await figure.locator("button[data-side=theirs]").click();
      const expected = softmax([0, 2, 1, -1]);
      await until(weights, (now) => now.every((weight, i) => Math.abs(weight - expected[i] / 2) < 0.00051));
      await until(() => figure.locator(".trouble").textContent(), (words) => words.includes("03.2"));
      await figure.locator("button[data-side=ours]").click();
      await until(weights, (now) => now.every((weight, i) => Math.abs(weight - expected[i]) < 0.00051));
    });
    await until(() => verdict.getAttribute("data-state"), (now) => now === "not_started", 120);
    await page.close();
  });

  test("a function that never returns costs the figure its answer, and nothing else", async () => {
    const page = await book().open(`lessons/${lesson}/`);
    const figure = page.locator('figure[data-figure="softmax"]');
    const endless = solution("2_softmax_rows.cpp").replace(body, "$1    for (volatile int i = 0;; i = i + 1) {\n    }\n    return scores;$2");
    await withText(file("2_softmax_rows.cpp"), endless, async () => {
      await figure.locator("button[data-side=theirs]").click();
      await until(() => figure.locator(".trouble").textContent(), (words) => words.includes("did not return"), 120);
      await figure.locator("button[data-side=ours]").click();
      await until(() => figure.locator(".trouble").evaluate((each) => each.hidden));
    });
    await page.close();
  });
}
