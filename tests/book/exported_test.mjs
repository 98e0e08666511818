// The pages as ./course book --export writes them: files on any server, whose figures run in the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { moved } from "./figures_test.mjs";
import { bookProgram, build, lessons } from "./support.mjs";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml" };

export default function (test, book) {
  test("exported pages: every figure moves, and its numbers are right", async () => {
    const folder = path.join(build, "exported");
    fs.rmSync(folder, { recursive: true, force: true });
    execFileSync(bookProgram, ["--export", folder], { stdio: ["ignore", "ignore", "inherit"] });
    const server = http.createServer((request, response) => {
      const file = path.join(folder, decodeURI(new URL(request.url, "http://localhost").pathname).replace(/\/$/, "/index.html"));
      if (!fs.existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { "Content-Type": types[path.extname(file)] ?? "application/octet-stream" }).end(fs.readFileSync(file));
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      for (const lesson of lessons.filter(({ figures }) => figures)) {
        const page = await book().context.newPage();
        const faults = [];
        page.on("pageerror", (error) => faults.push(String(error)));
        await page.goto(`http://127.0.0.1:${server.address().port}/lessons/${lesson.folder}/`);
        await page.waitForSelector("html[data-ready=yes]");
        await page.waitForLoadState("networkidle");
        for (const { id } of lesson.figures) if (!["looks", "go_on"].includes(id)) await moved[id]({ page, figure: page.locator(`figure[data-figure="${id}"]`), live: false });
        const troubles = await page.locator("figure.live .trouble:not(.calm)").evaluateAll((all) => all.filter((each) => !each.hidden).map((each) => each.closest("figure").dataset.figure + ": " + each.textContent));
        assert.deepEqual({ troubles, faults }, { troubles: [], faults: [] }, lesson.folder);
        await page.close();
      }
      const map = await book().context.newPage();
      await map.goto(`http://127.0.0.1:${server.address().port}/`);
      await map.waitForSelector('.map-goes-on[data-done="yes"]');
      assert.match(await map.locator(".map-goes-on").textContent(), /One morning Anna.{20}/);
      await map.close();
    } finally {
      server.close();
    }
  });
}
