// Every page, as a reader's browser has it.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { lessons, pages, root, until } from "./support.mjs";

const heaviest = 1 << 20; // bytes, fonts included

export default function (test, book) {
  for (const address of pages) {
    test(`/${address}: no error, every formula, every figure, nothing wide, nothing heavy`, async () => {
      const page = await book().open(address);
      const seen = await page.evaluate(() => ({
        raw: [...document.querySelectorAll("x-equation")].filter((each) => !each.querySelector(".katex") || each.querySelector(".katex-error")).map((each) => each.textContent),
        late: [...document.querySelectorAll("figure.live:not([data-ready])")].map((each) => each.dataset.figure),
        broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
        nameless: [...document.querySelectorAll("button, input, [role=slider], [role=spinbutton], [role=switch], figure")].filter((each) =>
          !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.querySelector("figcaption"))).length,
        headings: document.querySelectorAll("h1").length,
        language: document.documentElement.lang,
      }));
      assert.deepEqual({ ...seen, faults: page.faults }, { raw: [], late: [], broken: [], nameless: 0, headings: 1, language: "en", faults: [] });
      assert.ok(page.bytes > 0 && page.bytes <= heaviest, `${page.bytes} bytes`);
      book().took.push({ address, took: page.took, bytes: page.bytes });
      const cut = await page.evaluate(() => [...document.querySelectorAll("pre.contract, main > pre, x-equation")].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.slice(0, 60)));
      assert.deepEqual(cut, [], "contracts, drawings in text and formulas fit a window of 1100 pixels");
      await page.setViewportSize({ width: 360, height: 740 });
      const [wide, words] = await page.evaluate(() => [document.documentElement.scrollWidth, [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".wide, pre, x-equation, table, svg, details:not([open])")).slice(0, 3).map((each) => each.outerHTML.slice(0, 80))]);
      assert.ok(wide <= 360, `${wide} pixels wide at 360: ${words}`);
      const small = await page.evaluate(() => [...document.images].filter((image) => image.width && image.width < 0.8 * image.naturalWidth).map((image) => image.src));
      assert.deepEqual(small, [], "the letters of pictures can be read at 360 pixels");
      const letters = () => page.evaluate(() => [...document.querySelectorAll("svg.chart text")].filter((each) => each.textContent && each.getBoundingClientRect().width > 0).map((each) =>
        [parseFloat(getComputedStyle(each).fontSize) * each.ownerSVGElement.getScreenCTM().a, each.textContent]).filter(([size]) => size < 10.95));
      assert.deepEqual(await until(letters, (all) => all.length === 0, 5).catch(letters), [], "the letters of figures have 11 pixels at 360 pixels");
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("button:visible, input:visible, select:visible").count(), 0, "no controls are printed");
      await page.emulateMedia({ media: null });
      await page.setViewportSize({ width: 1100, height: 900 });
      const scrolled = await page.evaluate(() => [...document.querySelectorAll("details.hint")].map((hint) => {
        hint.hidden = false;
        hint.open = true;
        return [...hint.querySelectorAll("pre")].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.slice(0, 60));
      }).flat());
      assert.deepEqual(scrolled, [], "hints fit a window of 1100 pixels");
      await page.close();
    });
  }

  test("the list of lessons leads to each, and each to its neighbours", async () => {
    const page = await book().open("");
    assert.equal(await page.locator("ol.lessons > li").count(), lessons.length);
    await page.locator("ol.lessons > li > a").first().click();
    await page.waitForSelector("html[data-ready=yes]");
    await page.locator("#ways a[rel=next]").click();
    await page.waitForURL(new RegExp(lessons[1].folder));
    await page.close();
  });

  test("hints come one after the other, by keyboard", async () => {
    const page = await book().open("lessons/03_softmax/");
    const hints = page.locator('section.exercise[data-exercise="03.1"] details.hint');
    assert.equal(await hints.count(), 3);
    assert.deepEqual(await hints.evaluateAll((all) => all.map((each) => each.hidden)), [false, true, true]);
    await hints.nth(0).locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !document.querySelectorAll('section.exercise[data-exercise="03.1"] details.hint')[1].hidden);
    await page.close();
  });

  test("dark and light, and the choice is kept", async () => {
    const page = await book().open("lessons/02_score_scaling/", { colorScheme: "dark" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.locator("#theme").click();
    assert.notEqual(await paper(), dark);
    const light = await paper();
    await page.reload();
    await page.waitForSelector("html[data-ready=yes]");
    assert.equal(await paper(), light);
    await page.context().close();
  });

  test("Q, K, V, scores, weights and output: the same colours in figures, pictures and plots, readable on both papers", async () => {
    const read = (file) => fs.readFileSync(path.join(root, "common", file), "utf8");
    const [css, palette, plot] = ["book/page/style.css", "show/palette.hpp", "course/plot/entropy_vs_dk.gp"].map(read);
    const luminance = (hex) => [0.2126, 0.7152, 0.0722].reduce((total, by, i) => {
      const part = parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
      return total + by * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
    const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const colours = Object.fromEntries([...css.matchAll(/--(\w+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, ...both]) => [name, both]));
    for (const role of ["q", "k", "v", "scores", "scaled", "weights", "output"]) {
      const [light, dark] = colours[role];
      assert.ok(palette.includes(`"${role}", "${light}", "${dark}"`), `palette.hpp has another ${role}`);
      [light, dark].forEach((colour, theme) => ["paper", "raised"].forEach((paper) =>
        assert.ok(contrast(colour, colours[paper][theme]) >= 4.5, `${role} on ${colours[paper][theme]}`)));
    }
    assert.ok(plot.includes(`scaled = "${colours.scaled[0]}"`) && plot.includes(`unscaled = "${colours.scores[0]}"`));
    const page = await book().open("lessons/04_aggregation/");
    const letters = await page.locator('x-equation[data-source*="Attention"] .katex-html .own').evaluateAll((all) => all.map((each) => `${each.textContent}: ${each.classList[each.classList.length - 1]}`));
    assert.deepEqual(letters, ["Q: q", "K: k", "V: v", "Q: q", "K: k", "V: v"]);
    await page.close();
  });
}
