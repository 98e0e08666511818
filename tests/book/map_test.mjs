// The living map: a sentence through the whole model, station by station, and the damage of a wrong function.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { exerciseFile, near, numbersIn, root, softmax, until, withText } from "./support.mjs";

const goesOn = (page) => page.locator(".map-goes-on p");
const station = (page, id) => page.locator(`[data-station="${id}"]`);
const numbers = (page, caption) => page.locator(".map-numbers table.matrix", { has: page.locator("caption", { hasText: caption }) }).locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
const done = (page) => until(() => page.locator(".map-goes-on").getAttribute("data-done"), (now) => now === "yes");
const type = async (page, text) => {
  await page.locator("#map-sentence").fill(text);
  await until(() => goesOn(page).first().locator(".given").textContent(), (given) => given === text);
  await done(page);
};

export default function (test, book) {
  /// Whether the opened logits are these, and a text comes after them.
  async function showsLogits(page, logits) {
    await station(page, "logits").click();
    const shown = (await numbers(page, "likeliest")).map((row) => row.map((cell) => numbersIn(cell)[0]));
    const p = softmax(logits);
    const likeliest = logits.map((_, token) => token).sort((a, b) => logits[b] - logits[a]).slice(0, 10);
    assert.ok(near(shown, likeliest.map((token) => [logits[token], p[token]]), 0.0051), JSON.stringify(shown));
    assert.ok((await goesOn(page).textContent()).length > 30);
    console.log(`# ${await page.locator(".map-says").textContent()}`);
    assert.deepEqual(page.faults, []);
    await page.close();
  }
  const ask = (page, lesson, name, given) => until(() => page.evaluate((question) =>
    fetch("/api/call", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) }).then((response) => response.json()), { lesson, function: name, arguments: given, side: "ours" }), ({ ok }) => ok);

  test("the map: a typed sentence has the tokens of lesson 12's encode and the logits of its next_logits", async () => {
    const page = await book().open("");
    assert.ok(await page.evaluate(() => Boolean(document.getElementById("map").compareDocumentPosition(document.querySelector("ol.lessons")) & Node.DOCUMENT_POSITION_FOLLOWING)));
    await type(page, "The dog saw Ömer");
    await station(page, "tokens").click();
    const tokens = (await numbers(page, "tokens")).map(([token]) => numbersIn(token)[0]);
    assert.deepEqual(tokens, (await ask(page, "12_published_model", "encode", ["The dog saw Ömer", null])).value);
    const { value } = await ask(page, "12_published_model", "next_logits", [tokens, null]);
    await showsLogits(page, value.logits.at(-1).data);
  });

  test("the map: lesson 11's model is chosen by keyboard, and has the logits of its next_logits", async () => {
    const page = await book().open("");
    await done(page);
    await page.locator("input[type=radio][value='12']").press("ArrowRight");
    await until(() => page.locator("#map .note").textContent(), (words) => /^Lesson 11's model, whose tokens are characters: 3 layers, 4 heads, 89,\d+ numbers\. They come with the course/.test(words));
    assert.equal(await page.evaluate(() => document.activeElement.value), "11");
    await type(page, "Where is the lam");
    assert.match(await goesOn(page).textContent(), /^it goes onWhere is the lamp/);
    const given = await page.evaluate(async () => {
      const model = await (await import("/book/map_model.js")).loadModel("11");
      const array = (rows) => ({ shape: rows[0].length ? [rows.length, rows[0].length] : [rows.length], data: rows.flat() });
      const stacked = Object.keys(model.nothing).map((name) => [name, array(model.layers.flatMap((layer) => (layer[name][0].length ? layer[name] : [layer[name]])))]);
      const rest = ["tokens", "positions", "gain", "bias"].map((name) => [name, array(model[name])]);
      return [{ ...Object.fromEntries([...stacked, ...rest]), n_heads: 4 }, model.encode("Where is the lam")];
    });
    const { value: { data, shape } } = await ask(page, "11_language_model", "next_logits", given);
    await showsLogits(page, data.slice(-shape[1]));
  });

  for (const id of ["12", "11"]) {
    test(`the map: every station of lesson ${id}'s model has the numbers that our native functions make of the same input`, async () => {
      const page = await book().open("");
      await done(page);
      const { took, off } = await page.evaluate(async (id) => {
        const [{ exercises }, { loadModel }, { Pass }] = await Promise.all(["course", "map_model", "map_pass"].map((name) => import(`/book/${name}.js`)));
        const model = await loadModel(id);
        for (const each of exercises.values()) each.state = "passed";
        const send = window.fetch;
        window.fetch = (address, request) => send(address, { ...request, body: request.body.replace('"side":"theirs"', '"side":"ours"') });
        const pass = new Pass(model, { reader: true });
        const tokens = await pass.encode("The sun was shining");
        const next = await pass.flow(tokens);
        const start = performance.now();
        await new Pass(model, { reader: true }).flow(tokens);
        const took = performance.now() - start;
        const last = new Pass(model, { reader: true });
        await last.flow([...tokens, next], pass);
        window.fetch = send;
        return { took, off: [pass, last].flatMap(({ notes }) => [...notes].filter(([, { wrong, words }]) => wrong || words).map(([key, { words }]) => `${key} ${words}`)) };
      }, id);
      console.log(`# a sentence of lesson ${id}'s model took ${took.toFixed(0)} ms on native functions`);
      assert.deepEqual(off, []);
      await page.close();
    });
  }

  test("the map: tokens, heads and layers are chosen by keyboard, and a table says what the picture shows", async () => {
    const page = await book().open("");
    await done(page);
    await station(page, "scores").focus();
    for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    assert.equal(await station(page, "softmax").getAttribute("aria-expanded"), "true");
    await page.locator(".map-read button").nth(2).press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "head 3");
    await page.locator('.map-tokens button[data-token="3"]').press("Enter");
    await page.locator(".block").nth(1).press("Enter");
    assert.match(await page.locator(".map-opened h2").textContent(), /softmax, layer 2/);
    const weights = (await numbers(page, "weights, head 3")).map((row) => row.map((cell) => numbersIn(cell)[0]));
    assert.ok(weights.every((row, i) => Math.abs(row.reduce((a, b) => a + b) - 1) < 0.01 && row.slice(i + 1).every((each) => each === 0)));
    const read = await page.locator(".map-read p.chosen .shaded").evaluateAll((all) => all.map((each) => Number(each.title)));
    assert.deepEqual(read, weights[3]);
    assert.deepEqual(page.faults, []);
    await page.close();
  });

  test("the map: 03.2 passes and is full; it is wrong, and the damage is followed to the text", async () => {
    const solution = fs.readFileSync(path.join(root, "solutions/03_softmax/2_softmax_rows.cpp"), "utf8");
    const wrong = solution.replace(/(\/\/ solution .*\n)[^]*?(\n\s*\/\/ end)/, "$1    Matrix terms = xt::exp(scores - xt::amax(scores)());\n    terms /= xt::sum(terms)();\n    return terms;$2");
    const file = exerciseFile("03_softmax", "2_softmax_rows.cpp");
    const page = await book().open("lessons/03_softmax/");
    const place = page.locator('.strip a[aria-current="location"]');
    assert.equal(await place.locator(".name").textContent(), "softmax");
    assert.equal(await place.getAttribute("data-state"), "ours");
    await page.locator(".strip .whole").click();
    await page.waitForSelector("html[data-ready=yes]");
    const lamp = (id, state) => until(() => station(page, id).getAttribute("data-state"), (now) => now === state, 120);
    await lamp("softmax", "ours");
    await withText(file, solution, async () => {
      await lamp("softmax", "theirs");
      await until(() => page.locator(".map-says").textContent(), (words) => /^1 of its 13 functions are yours.* on your functions/.test(words));
      await done(page);
      assert.equal(await goesOn(page).count(), 1);
      console.log(`# ${await page.locator(".map-says").textContent()}`);
      fs.writeFileSync(file, wrong);
      await lamp("softmax", "failing");
      await until(() => page.locator(".map-harm").textContent(), (words) => /03\.2 softmax_rows fails\. The damage begins at softmax in layer 1/.test(words));
      await until(() => goesOn(page).count(), (count) => count === 2);
      await done(page);
      const [ours, theirs] = await goesOn(page).locator(".written").allTextContents();
      assert.notEqual(ours, theirs);
      await station(page, "read").click();
      assert.match(await page.locator(".map-opened").textContent(), /differ from ours by up to .*What comes in here is already different/);
      await station(page, "softmax").click();
      assert.match(await page.locator(".map-opened").textContent(), /Your function does it, on the very same input/);
      assert.ok(await page.locator(".wire.hurt").count() > 8);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: path.join(process.env.SCREENSHOTS, "map.png"), fullPage: true });
      await page.locator(".map-opened .runs-on a").click();
      await page.waitForURL(/03_softmax\/#03\.2/);
    });
    await page.close();
  });
}
