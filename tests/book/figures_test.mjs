// Every figure, moved by mouse and by keyboard, and its numbers compared with loops of our own.

import assert from "node:assert/strict";
import path from "node:path";
import { attentionWeights, cellsOf, dot, lessons, near, numbersIn, product, root, softmax, sum, until } from "./support.mjs";

/// Pulls the middle of an element by so many pixels.
async function pull(page, element, dx, dy) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2);
  await page.mouse.move(x + dx, y + dy);
  await page.mouse.up();
}

async function press(page, element, ...keys) {
  await element.focus();
  for (const key of keys) await page.keyboard.press(key);
}

const reading = (figure, name) => figure.locator(`[data-reading="${name}"]`);
const textOf = (element) => element.evaluate((each) => each.textContent);
const agrees = (look) => until(look, ({ got, expected, by }) => near(got, expected, by), 120);
const valueOf = (handle) => handle.getAttribute("aria-valuenow").then(Number);

/// Where the page has loaded a module of that lesson's figures from.
const moduleOf = (lesson, file) => `../../lessons/${lessons.find((each) => each.id === lesson).folder}/figures/${file}`;

export const moved = {
  async views({ page, figure }) {
    const cell = (name) => figure.locator("table.matrix", { hasText: name }).locator("[role=spinbutton]").first();
    const check = () => agrees(async () => {
      const W = await Promise.all(["W_q", "W_k", "W_v"].map((name) => cellsOf(figure, `${name}:`)));
      const shown = await Promise.all(["Q =", "K =", "V ="].map((name) => cellsOf(figure, name)));
      const terms = W[1].map((key) => 2 ** dot(W[0][0], key)); // the words are rows of the identity
      const mixture = product([terms.map((term) => term / sum(terms))], W[2])[0];
      return { got: [...shown, numbersIn(await textOf(reading(figure, "mixture"))).slice(-2)], expected: [...W, mixture], by: 0.0051 };
    });
    await check();
    await press(page, cell("W_v: gives"), "ArrowRight", "ArrowRight");
    assert.equal((await cellsOf(figure, "W_v:"))[0][0], 1);
    await check();
    await pull(page, cell("W_q: looks for"), 40, 0);
    assert.notEqual((await cellsOf(figure, "W_q:"))[0][0], 1);
    await check();
  },

  async arrows({ page, figure }) {
    const check = () => agrees(async () => {
      const [q, k] = await Promise.all(["q", "k"].map(async (name) => numbersIn(await textOf(reading(figure, name))).slice(0, 2)));
      return { got: await cellsOf(figure, "the score of"), expected: [dot(q, k), dot(q, k), dot(q, k) / Math.SQRT2], by: 0.051 };
    });
    await check();
    const tip = figure.locator('.handle[aria-label="tip of q"]');
    await press(page, tip, "ArrowRight", "ArrowDown");
    assert.deepEqual(numbersIn(await textOf(reading(figure, "q"))).slice(0, 2), [3.1, 0.9]);
    await check();
    await pull(page, figure.locator('.handle[aria-label="tip of k"]'), -60, 30);
    assert.ok(numbersIn(await textOf(reading(figure, "k")))[0] < 0);
    await check();
  },

  async spread({ page, figure }) {
    const slider = figure.locator("input[type=range]");
    for (const [key, d_k] of [["ArrowRight", 8], ["End", 1024], ["Home", 1]]) {
      await press(page, slider, key);
      const scores = await page.evaluate(async ([at, n]) => {
        const { normal } = await import(new URL(at, document.baseURI));
        const next = normal(1);
        const vectors = () => Array.from({ length: 14 }, () => Array.from({ length: 1024 }, () => Math.round(10 * next()) / 10).slice(0, n));
        const [Q, K] = [vectors(), vectors()];
        return Q.flatMap((q) => K.map((k) => q.reduce((total, x, i) => total + x * k[i], 0)));
      }, ["../../book/arrays.js", d_k]);
      const mean = sum(scores) / scores.length;
      const deviation = Math.sqrt(sum(scores.map((score) => (score - mean) ** 2)) / scores.length);
      const size = Math.sqrt(d_k);
      await agrees(async () => ({ got: await cellsOf(figure, "of 196 scores"), expected: [mean, deviation, size, mean / size, deviation / size, 1], by: 0.0051 }));
    }
    const box = await slider.boundingBox();
    await slider.scrollIntoViewIfNeeded();
    await pull(page, slider, box.width / 4, 0);
    await until(async () => (await cellsOf(figure, "of 196 scores"))[0][2], (size) => size > 1);
  },

  async softmax({ page, figure }) {
    const handles = figure.locator(".handle");
    const check = () => agrees(async () => {
      const scores = await Promise.all((await handles.all()).map(valueOf));
      const weights = await figure.locator('svg[aria-label="Weights"] [data-value]').allTextContents();
      return { got: weights.map(Number), expected: softmax(scores), by: 0.00051 };
    });
    await check();
    await press(page, figure.locator('.handle[aria-label="score of cat"]'), "ArrowUp", "Shift+ArrowDown");
    await check();
    await pull(page, figure.locator('.handle[aria-label="score of sleeps"]'), 0, -30);
    assert.ok((await valueOf(figure.locator('.handle[aria-label="score of sleeps"]'))) > 1);
    await check();
    await press(page, figure.locator('.handle[aria-label="score of the"]'), "Home");
    assert.equal(await valueOf(figure.locator('.handle[aria-label="score of the"]')), -5);
    await press(page, figure.locator('.handle[aria-label="score of the"]'), "PageUp", "PageUp");
    await check();
    await figure.getByRole("button", { name: "add 1000 to all" }).click();
    await until(() => textOf(figure), (words) => words.includes("not a number"));
    await check();
  },

  async jacobian({ page, figure }) {
    const check = () => agrees(async () => {
      const p = softmax((await figure.locator("[role=spinbutton]").evaluateAll((all) => all.map((each) => Number(each.getAttribute("aria-valuenow"))))));
      return { got: await cellsOf(figure, "softmax_jacobian"), expected: p.map((x, i) => p.map((y, j) => (i === j ? x : 0) - x * y)), by: 0.000051 };
    });
    await check();
    await press(page, figure.locator("[role=spinbutton]").nth(1), "ArrowUp", "ArrowUp");
    await check();
    const before = await cellsOf(figure, "what the nudge does");
    await pull(page, figure.locator("input[type=range]").last(), -80, 0);
    await until(async () => JSON.stringify(await cellsOf(figure, "what the nudge does")), (now) => now !== JSON.stringify(before));
    await press(page, figure.locator("input[type=range]").first(), "End");
    await check();
    await until(() => textOf(reading(figure, "largest")), (words) => words.includes("saturated"));
  },

  async hull({ page, figure }) {
    const points = async () => (await figure.locator('.handle[aria-label^="value of"]').evaluateAll((all) => all.map((each) => each.getAttribute("aria-valuetext")))).map(numbersIn);
    const check = () => agrees(async () => {
      const weights = softmax(await Promise.all((await figure.locator('.handle[aria-label^="score of"]').all()).map(valueOf)));
      return { got: numbersIn(await textOf(reading(figure, "output"))).slice(-2), expected: product([weights], await points()), by: 0.006 };
    });
    await check();
    await press(page, figure.locator('.handle[aria-label="value of cat"]'), "ArrowLeft", "ArrowUp");
    assert.deepEqual((await points())[1], [3.9, 2.1]);
    await check();
    await pull(page, figure.locator('.handle[aria-label="score of sleeps"]'), 0, -25);
    await check();
  },

  async steps({ page, figure }) {
    const check = () => agrees(async () => {
      const [Q, K, V] = await Promise.all(["Q", "K", "V"].map((name) => figure.locator("table.matrix", { has: page.locator("caption", { hasText: new RegExp(`^${name}$`) }) }).locator("tbody tr")
        .evaluateAll((rows) => rows.map((line) => [...line.querySelectorAll("td")].map((cell) => Number(cell.getAttribute("aria-valuenow")))))));
      const weights = attentionWeights(Q, K);
      return { got: [await cellsOf(figure, "3. attention_weights"), await cellsOf(figure, "4. self_attention")], expected: [weights, product(weights, V)], by: 0.00051 };
    });
    await check();
    const cells = figure.locator("[role=spinbutton]");
    await press(page, cells.nth(0), "ArrowUp", "ArrowUp", "ArrowUp");
    await check();
    await pull(page, cells.nth(9), 30, 0);
    await check();
    await figure.getByText("sleeps", { exact: true }).first().click();
    await until(() => textOf(reading(figure, "output")), (words) => words.includes("“sleeps” receives"));
  },

  async mask({ page, figure }) {
    const check = () => agrees(async () => {
      const seen = await figure.locator("[role=switch]").evaluateAll((all) => all.map((each) => each.getAttribute("aria-checked") === "true"));
      const scores = await cellsOf(figure, /^scores$/);
      const weights = scores.map((line, i) => softmax(line.map((score, j) => (seen[5 * i + j] ? score : -Infinity))).map((weight) => weight || 0));
      return { got: await cellsOf(figure, "masked_softmax"), expected: weights, by: 0.0025 }; // the scores are shown with 1 digit
    });
    await check();
    await figure.locator("[role=switch]").nth(1).click();
    await check();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await check();
    await figure.getByRole("button", { name: "none" }).click();
    await until(() => textOf(reading(figure, "blind")), (words) => words.includes("0 throughout"));
  },

  async collapse({ page, figure }) {
    const check = async () => {
      const d_k = Number(await figure.locator("output").first().textContent());
      const weights = await page.evaluate(async ([at, n]) => {
        const { draw, weightsOf } = await import(new URL(at, document.baseURI));
        return [false, true].map((scaled) => weightsOf(draw(1), n, scaled));
      }, [moduleOf("06", "draws.js"), d_k]);
      const nats = weights.flat().map((row) => -sum(row.map((p) => (p > 0 ? p * Math.log(p) : 0))));
      await agrees(async () => ({ got: (await figure.locator("[data-nats]").allTextContents()).map(Number), expected: nats, by: 0.0051 }));
      return nats;
    };
    await check();
    await press(page, figure.locator("input[type=range]"), "End");
    assert.ok(Math.max(...(await check()).slice(0, 8)) < 1);
    await pull(page, figure.locator("input[type=range]"), -200, 0);
    await check();
  },

  async curve({ page, figure }) {
    await press(page, figure.locator("input[type=range]"), "Home");
    await until(() => textOf(reading(figure, "unscaled")), (words) => near(numbersIn(words).at(-1), Math.log(16) - 0.5, 0.00051), 120);
    await figure.getByRole("button", { name: "sweep" }).click();
    const measured = await until(() => textOf(reading(figure, "unscaled")), (words) => /entropy [\d.]+,/.test(words), 120);
    const expected = await page.evaluate(async (at) => {
      const { draw, weightsOf } = await import(new URL(at, document.baseURI));
      const nats = [1, 2, 3, 4].flatMap((seed) => weightsOf(draw(seed), 1, false).map((row) => -row.reduce((total, p) => total + (p > 0 ? p * Math.log(p) : 0), 0)));
      return nats.reduce((total, each) => total + each, 0) / nats.length;
    }, moduleOf("06", "draws.js"));
    assert.ok(near(numbersIn(measured).at(-2), expected, 0.00051), `${measured}, expected ${expected}`);
    await until(() => textOf(reading(figure, "collapse")), (words) => words.includes("has fallen to half"), 120);
  },

  async looks({ page, figure, live }) {
    if (!live) return until(() => textOf(figure), (words) => words.includes("needs two trained models"));
    const weights = (arm) => (arm === "additive" ? [0.9, 0.1, 0.25, 0.75] : [0.6, 0.4, 0.3, 0.7]);
    await page.route("**/api/call", (route) => {
      const [{ arm, removed }] = route.request().postDataJSON().arguments;
      return route.fulfill({ json: { ok: true, value: { source: ["le", "</s>"], words: [removed.length ? "a" : "the", "</s>"], weights: { shape: [2, 2], data: weights(arm) } } } });
    });
    await figure.getByRole("button", { name: "translate" }).click();
    for (const arm of ["additive", "scaled_dot_product"]) {
      const panel = figure.locator(`[data-arm="${arm}"]`);
      await agrees(async () => ({ got: await cellsOf(panel, "weights"), expected: weights(arm).map((weight) => 100 * weight), by: 0.51 }));
    }
    const panel = figure.locator('[data-arm="additive"]');
    await panel.locator("tbody tr").first().hover();
    await until(() => textOf(reading(figure, "where")), (words) => words.includes("additive looks at “le” with 0.90"));
    await press(page, panel.locator("tbody tr").first().locator("td").first(), "Enter");
    await until(() => textOf(reading(figure, "additive-without")), (words) => words.endsWith(": a "));
    await page.keyboard.press(" "); // and it is back
    await until(() => textOf(reading(figure, "additive-without")), (words) => words.startsWith("Press a weight"));
  },

  async way_back({ page, figure }) {
    const values = async (label) => Promise.all((await figure.locator(`.handle[aria-label^="${label}"]`).all()).map(valueOf));
    const check = () => agrees(async () => {
      const p = softmax(await values("score of"));
      const g = await values("gradient at the weight of");
      const got = await figure.locator('svg[aria-label="d_scores"] [data-value]').allTextContents();
      return { got: got.map((words) => numbersIn(words)[0]), expected: p.map((weight, i) => weight * (g[i] - dot(p, g))), by: 0.00051 };
    });
    await check();
    await press(page, figure.locator('.handle[aria-label="gradient at the weight of sleeps"]'), "ArrowUp", "Shift+ArrowDown");
    await check();
    await pull(page, figure.locator('.handle[aria-label="score of the"]'), 0, -30);
    assert.ok((await valueOf(figure.locator('.handle[aria-label="score of the"]'))) > 0.5);
    await check();
    await figure.getByRole("button", { name: "one weight nearly 1" }).click();
    await check();
    await figure.getByRole("button", { name: "the same g for all" }).click();
    await check();
    await until(() => textOf(reading(figure, "mean")), (words) => words.includes("is 1.000"));
  },

  async turns({ page, figure }) {
    const turned = ([x, y], by) => [x * Math.cos(by) - y * Math.sin(by), x * Math.sin(by) + y * Math.cos(by)];
    const tips = () => Promise.all(["q", "k"].map(async (name) => numbersIn(await figure.locator(`.handle[aria-label="tip of ${name} at position 0"]`).getAttribute("aria-valuetext"))));
    const places = [0, 1, 2, 3, 4, 5];
    const check = (place) => agrees(async () => {
      const [q, k] = await tips();
      const [of_q, of_k] = await figure.locator("output").allTextContents();
      const expected = places.map((i) => places.map((j) => dot(place(q, i), place(k, j))));
      const score = numbersIn(await textOf(reading(figure, "score"))).at(-1);
      return { got: [await cellsOf(figure, "scores q · k"), score], expected: [expected, dot(turned(q, Number(of_q)), turned(k, Number(of_k)))], by: 0.0051 };
    });
    await check(turned);
    await press(page, figure.locator("input[type=range]").first(), "ArrowRight");
    await figure.getByRole("button", { name: "both one further" }).click();
    assert.deepEqual(await figure.locator("output").allTextContents(), ["4", "1"]);
    await check(turned);
    await pull(page, figure.locator('.handle[aria-label="tip of k at position 0"]'), -40, 20);
    await press(page, figure.locator('.handle[aria-label="tip of q at position 0"]'), "ArrowUp");
    await check(turned);
    await figure.getByText("are added").click();
    await check(([x, y], i) => [x + Math.sin(i), y + Math.cos(i)]);
    await figure.getByText("turn: rotate").click();
    await check(turned);
  },

  async halves({ page, figure }) {
    const handles = figure.locator(".handle");
    const partial = (scores, values, added) => {
      const maximum = Math.max(...scores);
      const terms = scores.map((score) => Math.exp(score - maximum));
      return [maximum + added, sum(terms), dot(terms, values), dot(terms, values) / sum(terms)];
    };
    const check = (added = 0) => agrees(async () => {
      const scores = await Promise.all((await handles.all()).map(valueOf));
      const cut = numbersIn(await figure.locator("output").textContent())[0];
      const values = scores.map((_, j) => j + 1);
      const all = partial(scores, values, added);
      const expected = [partial(scores.slice(0, cut), values.slice(0, cut), added), partial(scores.slice(cut), values.slice(cut), added), all, all];
      return { got: await cellsOf(figure, "what the query knows"), expected, by: 0.00051 };
    });
    await check();
    await press(page, figure.locator("input[type=range]"), "ArrowRight");
    await check();
    await pull(page, handles.nth(5), 0, -60);
    assert.ok((await valueOf(handles.nth(5))) > 0);
    await check();
    await figure.getByRole("button", { name: "add 1000 to all" }).click();
    await check(1000);
    await press(page, figure.locator("input[type=range]"), "Home"); // a has no keys
    await agrees(async () => { const [, b, merged, all] = await cellsOf(figure, "what the query knows"); return { got: [b, merged], expected: [all, all], by: 1e-9 }; });
  },

  async dice({ page, figure }) {
    const settings = async () => (await figure.locator("input[type=range]").evaluateAll((all) => all.map((each) => Number(each.value))));
    const check = () => agrees(async () => {
      const logits = await Promise.all((await figure.locator(".handle").all()).map(valueOf));
      const [temperature, top_k, top_p] = await settings();
      const order = logits.map((_, t) => t).sort((a, b) => logits[b] - logits[a]);
      let p = temperature === 0 ? logits.map((_, t) => Number(t === order[0])) : softmax(logits.map((logit) => logit / temperature));
      const keep = (kept) => { p = p.map((each, t) => (kept.includes(t) ? each / sum(kept.map((other) => p[other])) : 0)); };
      keep(order.slice(0, top_k || order.length));
      keep(order.filter((_, i) => top_p === 1 || i === 0 || sum(order.slice(0, i).map((t) => p[t])) < top_p));
      const [probability, share] = await cellsOf(figure, "of 1000 draws");
      return { got: [probability.map((each, t) => each - p[t]).every((off) => Math.abs(off) < 0.00051) ? 0 : 1, share], expected: [0, p], by: 0.065 }; // four deviations of a share of 1000
    });
    const [temperature, top_k, top_p] = await figure.locator("input[type=range]").all();
    await check();
    await press(page, temperature, "Home");
    await check();
    await press(page, temperature, "End");
    await pull(page, figure.locator('.handle[aria-label="logit of u"]'), 0, -20);
    await check();
    await press(page, top_k, "ArrowRight", "ArrowRight", "ArrowRight");
    await check();
    await press(page, top_p, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    await until(() => textOf(reading(figure, "kept")), (words) => words.startsWith("2 of 6"));
    await check();
    await figure.getByRole("button", { name: "other seeds" }).click();
    await check();
  },

  async go_on({ page, figure }) {
    const says = () => textOf(reading(figure, "says"));
    const shares = async () => (await figure.locator("[data-share]").allTextContents()).map(Number);
    const tokens = async () => numbersIn(await says())[0];
    const n = await until(tokens, (now) => now > 2);
    const before = await shares();
    assert.ok(before.length === 8 && sum(before) <= 1.001 && before.every((p, i) => i === 0 || p <= before[i - 1]));
    await press(page, figure.locator("[data-share]").first().locator("xpath=../button"), "Enter");
    await until(tokens, (now) => now === n + 1);
    await figure.locator("input[type=text]").fill("");
    await until(tokens, (now) => now === 1);
    await figure.getByRole("button", { name: "start again" }).click();
    await until(tokens, (now) => now === n);
    assert.deepEqual(await shares(), before);
  },
};

/// All calls that the figures have made, each with the answer of our native solutions.
export const answered = [];

/// What is still on its way when the page closes has no answer.
async function note(response) {
  const answer = await response.json().catch(() => ({ ok: false }));
  if (answer.side === "ours") answered.push({ question: response.request().postDataJSON(), answer });
}

export default function (test, book) {
  for (const lesson of lessons) {
    for (const { id, title } of lesson.figures ?? []) {
      test(`${lesson.id}, ${title}: moves by mouse and by keyboard, and its numbers are right`, async () => {
        assert.ok(moved[id], `no test moves the figure ${id}`);
        const { page, figure } = await book().figure(lesson.id, id);
        page.on("response", (response) => response.url().endsWith("/api/call") && note(response));
        await moved[id]({ page, figure, live: true });
        for (const again of await figure.getByRole("button", { name: "start again" }).all()) await again.click(); // 07's has none
        assert.deepEqual(page.faults, []);
        assert.equal(await figure.locator(".trouble").evaluate((each) => each.hidden || each.textContent), true);
        if (process.env.SCREENSHOTS) await figure.screenshot({ path: path.join(process.env.SCREENSHOTS, `${lesson.id}-${id}.png`) });
        await page.close();
      });
    }
  }
}
