// A save, as a reader sees it: the tick, the verdict, the bar at the top, and whose function draws the figure.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { exerciseFile, numbersIn, root, softmax, until, withText } from "./support.mjs";

const lesson = "03_softmax";
const file = (name) => exerciseFile(lesson, name);
const body = /(\/\/ solution .*\n)[^]*?(\n\s*\/\/ end)/;
const solution = (name) => fs.readFileSync(path.join(root, "solutions", lesson, name), "utf8");
const softmaxOf = (page) => page.locator('figure[data-figure="softmax"]');
const runsOn = (page) => softmaxOf(page).locator(".runs-on").textContent();
const weights = async (page) => (await softmaxOf(page).locator('svg[aria-label="Weights"] [data-value]').allTextContents()).map((word) => numbersIn(word)[0]);
const notice = (page) => page.locator("#notice").textContent();
// Right for one row: every row is measured by the maximum of them all.
const shared = solution("2_softmax_rows.cpp").replace(body, "$1    Matrix terms = xt::exp(scores - xt::amax(scores)());\n    terms /= xt::eval(xt::sum(terms, {1}, xt::keep_dims));\n    return terms;$2");

export default function (test, book) {
  test("the three functions of lesson 03 are written: ticks come, and the figure turns over to them", async () => {
    const page = await book().open(`lessons/${lesson}/`);
    const state = (id) => page.locator(`.verdict[data-exercise="${id}"]`).getAttribute("data-state");
    await until(() => runsOn(page), (words) => words.includes("our softmax_rows"), 120);

    await withText(file("1_softmax.cpp"), solution("1_softmax.cpp"), () =>
      withText(file("3_softmax_jacobian.cpp"), solution("3_softmax_jacobian.cpp"), async () => {
        await until(() => state("03.1"), (now) => now === "passed", 120);
        await until(() => state("03.3"), (now) => now === "passed", 120);
        await withText(file("2_softmax_rows.cpp"), solution("2_softmax_rows.cpp"), async () => {
          const saved = Date.now();
          await until(() => state("03.2"), (now) => now === "passed", 120);
          console.log(`# a save was seen after ${Date.now() - saved} ms`);
          await until(() => runsOn(page), (words) => words.includes("your softmax_rows"));
          assert.equal(await page.locator('#contents li[data-exercise="03.2"] .tick').textContent(), "✓");
          // What comes next: the next exercise, and our solution beside the reader's.
          assert.match(await notice(page), /✓ 03\.2 softmax_rows: passed.*Next: 03\.3 softmax_jacobian/);
          const passed = page.locator('.verdict[data-exercise="03.2"]');
          await passed.getByRole("button", { name: "Our solution beside yours" }).click();
          await until(() => passed.locator(".solutions code").allTextContents(), ([yours = "", ours = ""]) => yours.includes("// solution 03.2") && ours.includes("xt::") && !ours.includes("// solution"));
          assert.match(await passed.textContent(), /\.\/course run 03/);
          const list = await book().open("");
          assert.match(await list.locator("#go-on").textContent(), /^3 of \d+ exercises passed/);
          await list.close();
        });
        await until(() => state("03.2"), (now) => now === "not_started", 120);
      }));
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  test("a function that is right for one row only is drawn with the call on which it fails", async () => {
    const page = await book().open(`lessons/${lesson}/`);
    const figure = softmaxOf(page);
    const verdict = page.locator('.verdict[data-exercise="03.2"]');
    await withText(file("2_softmax_rows.cpp"), solution("2_softmax_rows.cpp"), async () => {
      await until(() => runsOn(page), (words) => words.includes("your softmax_rows"), 120);
      fs.writeFileSync(file("2_softmax_rows.cpp"), shared); // it had passed
      await until(() => verdict.getAttribute("data-state"), (now) => now === "wrong", 120);
      assert.equal(await verdict.locator(".compared table").count(), 2);
      await until(() => figure.locator(".loaded").textContent(), (words) => words.startsWith("Loaded: the call that fails, of the check"));
      await until(() => runsOn(page), (words) => words.includes("your softmax_rows"));
      await until(() => figure.locator("table.matrix", { hasText: "softmax_rows of all rows" }).locator("td").allTextContents(), (cells) => cells.includes("nan") || cells.includes("0.000"));
      assert.ok(await figure.evaluate((each) => each.classList.contains("wrong")));
      await figure.locator("button[data-side=ours]").click();
      await until(() => figure.locator("table.matrix", { hasText: "softmax_rows of all rows" }).locator("td").allTextContents(), (cells) => !cells.includes("nan"));
      await figure.getByRole("button", { name: "start again" }).click();
      await until(() => weights(page), (now) => now.every((weight, i) => Math.abs(weight - softmax([0, 2, 1, -1])[i]) < 0.00051));
      await verdict.getByRole("button", { name: "Show this call" }).click();
      await until(() => figure.locator(".loaded").isVisible());
      assert.equal(await verdict.locator('.file a[data-file]').first().getAttribute("href"), `vscode://file${file("2_softmax_rows.cpp")}`);
      await page.locator("#editor").selectOption("emacs");
      assert.equal(await verdict.locator('.file a[data-file]').first().getAttribute("href"), `emacs://open?url=file://${file("2_softmax_rows.cpp")}`);
      await page.locator("#editor").selectOption("vscode");
    });
    await until(() => verdict.getAttribute("data-state"), (now) => now === "not_started", 120);
    await until(() => figure.locator(".loaded").isHidden());
    await page.close();
  });

  test("the call that fails is shown as matrices where no figure can draw it", async () => {
    const page = await book().open("lessons/01_linear_projections/");
    const project = exerciseFile("01_linear_projections", "1_project.cpp");
    const wrong = fs.readFileSync(path.join(root, "solutions/01_linear_projections/1_project.cpp"), "utf8").replace(body, "$1    return xt::zeros<double>({X.shape(0), W.shape(1)});$2");
    await withText(project, wrong, async () => {
      const verdict = page.locator('.verdict[data-exercise="01.1"]');
      await until(() => verdict.getAttribute("data-state"), (now) => now === "wrong", 180);
      await verdict.getByRole("button", { name: "Show this call" }).click();
      const figure = page.locator("figure.live", { has: page.locator(".loaded:visible") });
      const cells = (caption) => figure.locator("table.matrix", { hasText: caption }).locator("td").allTextContents();
      await until(() => cells("yours"), (all) => all.length > 0 && all.every((cell) => numbersIn(cell)[0] === 0), 120);
      await until(() => cells("ours"), (all) => all.some((cell) => numbersIn(cell)[0] !== 0), 120);
      assert.ok(await figure.locator("td.worst").count() > 0);
      const before = await cells("ours");
      await figure.locator("[role=spinbutton]").first().focus();
      await page.keyboard.press("PageUp");
      await until(() => cells("ours"), (now) => now.join() !== before.join());
    });
    await page.close();
  });

  test("at the top of any page a save is noticed within 1.5 s once it is graded", async () => {
    const pages = [await book().open(`lessons/${lesson}/`, { height: 800 }), await book().open("lessons/05_causal_masking/", { height: 800 }), await book().open("", { height: 800 })];
    await withText(file("1_softmax.cpp"), `${solution("1_softmax.cpp")}\n#error`, async () => {
      for (const page of pages) await until(() => notice(page), (words) => words.includes("03.1 softmax: does not compile"), 120);
      for (const page of pages) {
        assert.equal(await page.evaluate(() => scrollY), 0);
        assert.match(await page.title(), /^✗ 03\.1 · /);
        assert.equal(await page.locator("#notice [role=status]").count(), 1);
      }
      fs.writeFileSync(file("1_softmax.cpp"), `${solution("1_softmax.cpp")}\n#error again`);
      const saved = Date.now();
      for (const page of pages) await until(() => page.locator("#notice").getAttribute("data-state"), (now) => now === "checking", 10);
      console.log(`# that it is being checked was seen at the top of all three after ${Date.now() - saved} ms`);
      await until(() => pages[1].locator("#notice").getAttribute("data-state"), (now) => now === "failing", 60);
      await pages[1].locator("#notice a").first().click();
      await pages[1].waitForURL(/03_softmax\/#03\.1$/);
      await pages[0].getByRole("button", { name: "Close this message" }).click();
      assert.equal(await pages[0].locator("#notice").isVisible(), false);
      assert.match(await pages[0].title(), /^03 /);
    });
    for (const page of pages) await page.close();
  });
}
