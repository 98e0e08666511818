// What is behind an opened station: whose function it runs on, its numbers, and what a token read.

import { softmax, text } from "./arrays.js";
import { exercises } from "./course.js";
import { html } from "./dom.js";
import { pieceText } from "./map_model.js";
import { difference } from "./map_pass.js";
import { stateOf } from "./map_stations.js";
import { table } from "./matrix.js";
import { addressOf } from "./notice.js";
import { mark, stateText } from "./verdict.js";

const square = ["scores", "mask", "softmax"]; // whose columns are tokens, too
const digits = (sheets) => (sheets[0].name === "tokens" ? 0 : sheets[0].colour === "weights" ? 3 : 2);

function functions({ uses }) {
  return uses.map((id) => exercises.get(id)).filter(Boolean).map((exercise) => html("p", { class: "runs-on" },
    html("span", { class: "tick", "data-state": exercise.state }, mark(exercise)), " ",
    html("a", { href: addressOf(exercise) }, `${exercise.id} ${exercise.title}`),
    `: ${stateText(exercise)}. ${exercise.state === "passed" ? "This station runs on your function." : stateOf({ uses: [exercise.id] }) === "failing" ? `This station runs on your function. ${exercise.verdict?.explanation || exercise.verdict?.summary || ""}` : "This station runs on ours until yours passes."}`));
}

/// The sentence once for each head, every token as dark as the chosen one read it.
function whatWasRead(model, tokens, sheets, { token, head }, choose) {
  const name = pieceText(model, tokens[token]);
  return html("div", { class: "map-read" }, html("p", {}, `What “${name}” reads, head by head:`), sheets.map(({ rows }, h) =>
    html("p", { class: h === head ? "chosen" : "" }, html("button", { type: "button", "aria-pressed": h === head, click: () => choose({ head: h }) }, `head ${h + 1}`), " ",
      rows[token].map((weight, i) => html("span", { class: "shaded", style: `--p: ${Math.min(100 * weight || 0, 100)}%`, title: text(weight, 3) }, pieceText(model, tokens[i]))))));
}

function logitTable(model, { rows }, token) {
  const logits = rows[Math.min(token, rows.length - 1)];
  const p = softmax(logits);
  const order = p.map((_, each) => each).sort((a, b) => p[b] - p[a]).slice(0, 10);
  return { names: { rows: order.map((each) => pieceText(model, each)), columns: ["logit", "probability"] }, rows: order.map((each) => [logits[each], p[each]]) };
}

function shown(model, tokens, id, sheets, token) {
  const names = tokens.map((each) => pieceText(model, each));
  return sheets.map((sheet) => {
    if (id === "logits") return { caption: `the ten likeliest of ${sheet.rows[0].length}, after “${names[token]}”`, ...logitTable(model, sheet, token), max: 20 };
    if (id === "dice") return { caption: sheet.name, rows: sheet.rows, names: { rows: [pieceText(model, sheet.rows[0][0])], columns: ["token"] }, max: 1e9 };
    const columns = square.includes(id) ? names : sheet.rows[0].map((_, j) => String(j + 1));
    const most = Math.max(...sheet.rows.flat().filter(Number.isFinite).map(Math.abs), 1e-300);
    return { caption: `${sheet.name}${sheet.head === null ? "" : `, head ${sheet.head + 1}`} (${sheet.rows.length}, ${sheet.rows[0].length})`, rows: sheet.rows, names: { rows: names.slice(-sheet.rows.length), columns: id === "tokens" ? ["number"] : columns }, max: id === "tokens" ? 1e9 : sheet.colour === "weights" ? 1 : most };
  });
}

/// The panel of a station. mine, ours: passes.
export function detail({ model, mine, ours, chosen, choose }) {
  const station = model.at(chosen.station);
  const { id, layered } = station;
  const [note, right] = [mine, ours].map((pass) => pass.note(id, chosen.layer));
  const ofHead = (sheets) => sheets.filter(({ head, name }) => head === null || head === (["K", "V"].includes(name) ? Math.floor(chosen.head / model.shared) : chosen.head));
  const tokens = mine.tokens ?? ours.tokens;
  const parts = [html("h2", {}, `${station.label === "+" ? "sum" : station.label}${layered ? `, layer ${chosen.layer + 1}` : ""}`),
    html("p", {}, station.tells), ...functions(station)];
  if (note?.words) parts.push(html("p", { class: "trouble" }, `${note.words} Nothing goes on from here; below are our numbers.`));
  const sheets = note?.sheets ?? right.sheets;
  const off = note?.sheets && mine !== ours ? sheets.map(({ rows }, i) => difference(rows, right.sheets[i].rows)).reduce((a, b) => (b.share > a.share ? b : a)) : { share: 0 };
  if (off.share > 0) parts.push(html("p", { class: "trouble" }, `With your functions these numbers differ from ours by up to ${text(off.most, 3)}, ${Math.round(100 * off.share)} % of the largest. ${note.wrong ? "Your function does it, on the very same input." : "What comes in here is already different."}`));
  if (square.includes(id)) {
    const weights = mine.note("softmax", chosen.layer)?.sheets ?? ours.note("softmax", chosen.layer).sheets;
    parts.push(whatWasRead(model, tokens, weights, { ...chosen, token: Math.min(chosen.token, weights[0].rows.length - 1) }, choose));
  }
  const drawn = (given, whose) => shown(model, given === right.sheets ? ours.tokens : tokens, id, ofHead(given), Math.min(chosen.token, tokens.length - 1)).map((each) =>
    html("div", { class: "wide", tabindex: 0, role: "region", "aria-label": each.caption }, table({ digits: digits(given), ...each, caption: whose + each.caption, classes: "tight" }).root));
  parts.push(html("div", { class: "map-numbers" }, drawn(sheets, off.share > 0 ? "yours: " : ""), off.share > 0 ? drawn(right.sheets, "ours: ") : []));
  return parts;
}
