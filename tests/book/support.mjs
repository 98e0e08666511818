// A book that is served for the tests, and a browser that looks at it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const build = process.env.COURSE_BUILD; // a preset's folder, whose exercises are nobody's work
export const bookProgram = path.join(build, "book");
const { chromium } = createRequire(path.join(process.env.BROWSER_MODULES, "from.cjs"))("playwright-core");

/// The lessons' manifests, in their order.
export const lessons = fs.readdirSync(path.join(root, "lessons")).filter((name) => /^\d\d_/.test(name)).sort().map((folder) =>
  ({ folder, ...JSON.parse(fs.readFileSync(path.join(root, "lessons", folder, "lesson.json"), "utf8")) }));
const addresses = (folder) => fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith(".md")).map((name) => (name === "README.md" ? `${folder}/` : `${folder}/${name.slice(0, -3)}/`));
export const pages = ["", ...addresses("lessons"), ...lessons.flatMap(({ folder }) => addresses(`lessons/${folder}`))];

export class Book {
  static async start() {
    fs.cpSync(path.join(build, "stubs"), path.join(build, "exercises"), { recursive: true });
    const book = new Book();
    await book.serve();
    book.browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
    book.context = await book.browser.newContext({ viewport: { width: 1100, height: 900 } });
    const page = await book.context.newPage();
    await page.goto(book.url.href); // the token becomes a cookie
    await page.close();
    return book;
  }

  /// Starts the server; after end() once more, which is to have the address that it had.
  async serve() {
    this.server = spawn(bookProgram, ["--no-open"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(this.server.stdout.setEncoding("utf8"), "data");
    this.url = new URL(line.trim());
  }

  async stop() {
    await this.browser?.close();
    await this.end();
  }

  async end() {
    if (this.server.exitCode !== null) return;
    this.server.kill("SIGINT");
    await once(this.server, "exit");
  }

  /// Opens a page of the course, without its first slash, and waits until all its figures are there.
  /// What goes wrong on it is noted in page.faults.
  async open(address, { width = 1100, height = 900, ...options } = {}) {
    const context = Object.keys(options).length ? await this.browser.newContext({ storageState: await this.context.storageState(), ...options }) : this.context;
    const page = await context.newPage();
    page.bytes = 0;
    page.on("response", (response) => (page.bytes += Number(response.headers()["content-length"] ?? 0)));
    await page.setViewportSize({ width, height });
    return load(page, `${this.url.origin}/`, address);
  }

  /// The lesson's page, and its figure of that id, once our solutions are there to draw it.
  async figure(lesson, id) {
    const page = await this.open(`lessons/${lessons.find((each) => each.id === lesson).folder}/`);
    const figure = page.locator(`figure[data-figure="${id}"]`);
    await figure.scrollIntoViewIfNeeded();
    return { page, figure };
  }
}

/// Loads an address below root into the page, and notes in page.faults what goes wrong on it.
export async function load(page, root, address) {
  page.faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) page.faults.push(message.text()); });
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(root) && !request.url().startsWith("data:")) page.faults.push(`loads ${request.url()}`); });
  page.on("response", (response) => { if (response.status() >= 400) page.faults.push(`${response.status()} for ${response.url()}`); });
  const before = Date.now();
  await page.goto(root + address);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60000 });
  page.took = Date.now() - before;
  return page;
}

export const exerciseFile = (lesson, file) => path.join(build, "exercises", lesson, file);

/// Puts another text into an exercise while work runs, and the old one back.
export async function withText(file, text, work) {
  const before = fs.readFileSync(file);
  fs.writeFileSync(file, text);
  try {
    return await work();
  } finally {
    fs.writeFileSync(file, before);
  }
}

/// Repeats look() until its result satisfies, and returns that. Throws the last result in time.
export async function until(look, satisfies = Boolean, seconds = 60) {
  let seen;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
    seen = await look().catch((error) => error);
    if (!(seen instanceof Error) && satisfies(seen)) return seen;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`waited ${seconds} s; the last that was seen: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`);
}

/// The numbers in a text, with a true minus or a plain one.
export const numbersIn = (words) => (words.replaceAll("−", "-").match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
/// The numbers of a table that has this caption, row by row.
export async function cellsOf(figure, caption) {
  const table = figure.locator("table.matrix", { has: figure.page().locator("caption", { hasText: caption }) }).first();
  return (await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)))).map((row) => row.map((cell) => numbersIn(cell)[0] ?? NaN));
}

// ---- The mathematics once more, in loops, to hold the figures against.

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
export const sum = (a) => a.reduce((total, x) => total + x, 0);
export const softmax = (scores) => {
  const terms = scores.map((score) => Math.exp(score - Math.max(...scores)));
  return terms.map((term) => (sum(terms) > 0 ? term / sum(terms) : 0));
};
export const product = (A, B) => A.map((row) => B[0].map((_, j) => sum(row.map((x, k) => x * B[k][j]))));
export const attentionWeights = (Q, K) => Q.map((q) => softmax(K.map((k) => dot(q, k) / Math.sqrt(q.length))));

/// Whether they are the same to the digits that a figure shows.
export function near(got, expected, by) {
  const [a, b] = [got, expected].map((each) => [each].flat(Infinity));
  return a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= by);
}
