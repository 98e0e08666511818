// The book in a real browser: ./course test --all calls this through tests/book/run.

import { after, before, describe, test } from "node:test";
import exported from "./exported_test.mjs";
import figures from "./figures_test.mjs";
import map from "./map_test.mjs";
import recovery from "./recovery_test.mjs";
import pages from "./pages_test.mjs";
import saving from "./saving_test.mjs";
import { Book } from "./support.mjs";

describe("the book in Chromium", { concurrency: 1 }, () => {
  let book = null;
  before(async () => {
    book = await Book.start();
    book.took = [];
  });
  after(async () => {
    const times = book.took.map(({ took }) => took).sort((a, b) => a - b);
    const heaviest = Math.max(...book.took.map(({ bytes }) => bytes));
    console.log(`# pages were there after ${times[times.length >> 1]} ms (median), ${times.at(-1)} ms at most; the heaviest has ${heaviest >> 10} KiB`);
    await book.stop();
  });
  for (const tests of [pages, map, figures, saving, recovery, exported]) tests((name, work) => test(name, { timeout: 180000 }, work), () => book);
});
