// The picture of the map: the whole model, one opened layer, and the lines between the stations.

import { softmax } from "./arrays.js";
import { exercises } from "./course.js";
import { html, set, svg, write } from "./dom.js";
import { pieceText } from "./map_model.js";
import { difference } from "./map_pass.js";
import { inks, picture } from "./map_picture.js";
import { stateOf } from "./map_stations.js";

/// Puts other elements into a place; a button that had the focus gives it to the one that comes where it was.
export function replace(place, ...children) {
  const at = [...place.querySelectorAll("button")].indexOf(document.activeElement);
  place.replaceChildren(...children);
  place.querySelectorAll("button")[at]?.focus();
}

const share = (p) => `${Math.round(100 * p)} %`;

export class View {
  /// choose({station, layer, head, token}) is called with what is clicked.
  constructor(model, choose) {
    Object.assign(this, { words: model, choose });
    this.signs = new Map(model.stations.map((each) => [each.id, this.sign(each)]));
    this.tokens = html("ol", { class: "map-tokens", "aria-label": "Tokens" });
    this.blocks = [];
    this.model = html("div", { class: "map-model", "data-model": model.id, role: "group", "aria-label": "The whole model" });
    this.layer = html("div", { class: "map-layer", "data-model": model.id, role: "tabpanel", id: "map-layer" });
    this.layer.append(svg("svg", { class: "wires", "aria-hidden": "true" }), ...model.stations.filter(({ layered }) => layered).map(({ id }) => this.signs.get(id)));
    for (const place of [this.model, this.layer]) place.addEventListener("keydown", (event) => this.step(event, place));
    new ResizeObserver(() => this.wire()).observe(this.layer);
  }

  sign({ id, label }) {
    const pressed = (event) => {
      const head = event.target.closest?.("[data-head]")?.dataset.head;
      this.choose({ station: id, ...(head === undefined ? {} : { head: Number(head) * (["K", "V"].includes(event.target.closest("[data-head]").dataset.name) ? this.words.shared : 1) }) });
    };
    return html("button", { type: "button", class: "station", "data-station": id, click: pressed },
      html("span", { class: "sign" }, html("span", { class: "lamp" }), html("span", {}, label)), html("span", { class: "harm" }), html("span", { class: "pics", "aria-hidden": "true" }));
  }

  /// The arrow keys go from one button to the next.
  step(event, place) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...place.querySelectorAll("button")];
    const next = all[all.indexOf(event.target.closest("button")) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /// mine and ours: passes; of mine some stations may still be to come.
  show(mine, ours, chosen) {
    Object.assign(this, { ours, mine, chosen });
    const model = this.words;
    const { tokens } = ours;
    if (this.blocks.length !== model.layers.length) this.begin(model.layers.length);
    replace(this.tokens, ...(mine.tokens ?? tokens).map((token, i) => html("li", {}, html("button", { type: "button", "data-token": i, "aria-pressed": i === chosen.token, click: () => this.choose({ token: i }) }, pieceText(model, token)))));
    this.model.style.setProperty("--token", chosen.token);
    this.layer.style.setProperty("--token", chosen.token);
    this.layer.dataset.head = chosen.head;
    set(this.layer, { "aria-label": `Layer ${chosen.layer + 1}` });
    for (const { id } of model.stations) this.showStation(id, chosen.layer);
    this.blocks.forEach((_, l) => this.showBlock(l));
    for (const button of this.model.parentElement.querySelectorAll(".station")) set(button, { "aria-expanded": button.dataset.station === chosen.station });
    this.wire();
  }

  /// One more station of mine has been passed.
  came(id, layer) {
    if (!this.blocks.length) return;
    if (!this.words.at(id).layered || layer === this.chosen.layer) this.showStation(id, layer);
    if (id === "stream") this.showBlock(layer);
  }

  /// Lets the sentence be seen to run through the lines, once.
  run() {
    this.layer.classList.remove("runs");
    this.layer.getBoundingClientRect(); // so that it begins again
    this.layer.classList.add("runs");
  }

  begin(n_layers) {
    this.blocks = Array.from({ length: n_layers }, (_, l) =>
      html("button", { type: "button", class: "block", role: "tab", "aria-controls": "map-layer", "data-layer": l, click: () => this.choose({ layer: l }) },
        html("span", { class: "sign" }, `layer ${l + 1}`), html("span", { class: "harm" }), html("span", { class: "pics heads" })));
    const at = (id) => this.signs.get(id);
    this.model.replaceChildren(html("div", { class: "map-text-in" }, at("tokens"), this.tokens), at("rows"),
      html("div", { class: "blocks", role: "tablist", "aria-label": "Layers" }, this.blocks), ...["last", "logits", "dice"].map(at).filter(Boolean));
  }

  /// How much a station's numbers differ from ours, as a part of the largest.
  harm(id, layer) {
    const [mine, ours] = [this.mine, this.ours].map((pass) => pass.note(id, layer));
    if (mine?.words) return { most: Infinity, share: 1 };
    if (!mine?.sheets || !ours?.sheets || this.mine === this.ours) return { most: 0, share: 0 };
    return mine.sheets.map(({ rows }, i) => difference(rows, ours.sheets[i].rows)).reduce((a, b) => (b.share > a.share ? b : a), { most: 0, share: 0 });
  }

  showStation(id, layer) {
    const station = this.words.at(id);
    const button = this.signs.get(id);
    const note = this.mine.note(id, layer);
    const state = stateOf(station);
    const { share: off } = this.harm(id, layer);
    button.dataset.state = state;
    button.classList.toggle("chosen", this.chosen.station === id);
    button.classList.toggle("coming", !note?.sheets);
    button.classList.toggle("hurt", off > 0);
    button.style.setProperty("--harm", `${Math.max(100 * off, off > 0 ? 8 : 0)}%`);
    const whose = state === "none" ? "no function" : `${station.uses.map((use) => `${use} ${exercises.get(use)?.title}`).join(", ")}, ${state === "theirs" ? "yours" : state === "failing" ? "yours, which fails" : "ours, until yours passes"}`;
    set(button, { title: `${whose}${off > 0 ? "; differs from ours" : ""}` });
    const place = button.querySelector(".pics");
    if (!note?.sheets) return place.replaceChildren(...(note?.words ? [html("span", { class: "nothing" }, "✗")] : []));
    if (id === "logits") place.replaceChildren(...this.candidates(note.sheets[0].rows));
    else if (id === "dice") place.replaceChildren(html("span", { class: "drawn" }, pieceText(this.words, note.sheets[0].rows[0][0])));
    else if (id !== "tokens") place.replaceChildren(...note.sheets.map(picture));
  }

  candidates(logits) {
    const p = softmax(logits[Math.min(this.chosen.token, logits.length - 1)]);
    const order = p.map((_, token) => token).sort((a, b) => p[b] - p[a]).slice(0, 6);
    return order.map((token) => html("span", { class: "candidate", style: `--p: ${100 * p[token] || 0}%` }, html("span", {}, pieceText(this.words, token)), html("span", { class: "p" }, Number.isNaN(p[token]) ? "nan" : share(p[token]))));
  }

  showBlock(l) {
    const button = this.blocks[l];
    const off = this.harm("stream", l).share;
    set(button, { "aria-selected": l === this.chosen.layer, tabindex: l === this.chosen.layer ? 0 : -1 });
    button.classList.toggle("coming", !this.mine.note("stream", l)?.sheets);
    button.classList.toggle("hurt", off > 0);
    button.style.setProperty("--harm", `${Math.max(100 * off, off > 0 ? 8 : 0)}%`);
    button.querySelector(".pics").replaceChildren(...(this.mine.note("softmax", l)?.sheets ?? []).map(picture));
  }

  /// The lines of the opened layer, from each picture's right side to the next one's left.
  wire() {
    const drawing = this.layer.querySelector("svg");
    const box = this.layer.getBoundingClientRect();
    if (!this.mine || box.width < 900) return drawing.replaceChildren();
    set(drawing, { viewBox: `0 0 ${box.width} ${box.height}` });
    const rect = (id, name, head) => {
      const all = [...this.signs.get(id).querySelectorAll(".pic")].filter((each) => (!name || each.dataset.name === name) && (head === undefined || each.dataset.head === String(head)));
      const seen = all[0]?.getBoundingClientRect();
      return seen && { left: seen.left - box.left, right: seen.right - box.left, middle: (seen.top + seen.bottom) / 2 - box.top, bottom: seen.bottom - box.top, centre: (seen.left + seen.right) / 2 - box.left };
    };
    const lines = [];
    const line = (from, path, colour, width = 1.6) => {
      const { share: off } = this.harm(from, this.chosen.layer);
      lines.push(svg("path", { d: path, class: off > 0 ? "wire hurt" : "wire", style: `--own: var(${inks[colour]}); --width: ${width}px; --harm: ${Math.max(off, 0.25)}; --late: ${lines.length}` }));
    };
    const curve = (a, b) => `M${a.right} ${a.middle} C${(a.right + b.left) / 2} ${a.middle} ${(a.right + b.left) / 2} ${b.middle} ${b.left} ${b.middle}`;
    const join = (from, to, colour, [name, head] = [], [other, its] = []) => {
      const [a, b] = [rect(from, name, head), rect(to, other, its)];
      if (a && b) line(from, curve(a, b), colour);
    };
    const { shared, at } = this.words;
    const scored = at("rotate") ? "rotate" : "split"; // whose queries and keys are compared
    for (const [name, colour] of [["Q", "q"], ["K", "k"], ["V", "v"]]) {
      join("norm", "project", "ink", [], [name]);
      for (let h = 0; h < (name === "Q" ? 4 : 4 / shared); ++h) {
        join("project", "split", colour, [name], [name, h]);
        if (name !== "V" && at("rotate")) join("split", "rotate", colour, [name, h], [name, h]);
      }
    }
    for (let h = 0; h < 4; ++h) {
      const g = Math.floor(h / shared);
      join(scored, "scores", "q", ["Q", h], ["s", h]);
      join(scored, "scores", "k", ["K", g], ["s", h]);
      join("scores", "mask", "scores", ["s", h], ["s", h]);
      join("mask", "softmax", "scores", ["s", h], ["w", h]);
      join("softmax", "read", "weights", ["w", h], ["o", h]);
      const [value, read] = [rect("split", "V", g), rect("read", "o", h)];
      if (value && read) line("split", `M${value.right} ${value.middle} H${read.left - 34} C${read.left - 8} ${value.middle} ${read.left - 26} ${read.middle} ${read.left} ${read.middle}`, "v");
      if (at("cache")) join("read", "cache", "output", ["o", h], ["o", h]);
      join(at("cache") ? "cache" : "read", "merge", "output", ["o", h]);
    }
    const rest = ["merge", "out", "added", "norm2", "mlp", "stream"].filter(at);
    for (const [i, from] of rest.slice(0, -1).entries()) join(from, rest[i + 1], i < 2 ? "output" : "ink");
    const [first, added, stream] = [rect("norm"), rect("added"), rect("stream")];
    const low = box.height - 5;
    if (first && added) line("rows", `M${first.left - 12} ${first.middle} h-2 V${low - 8} q0 8 8 8 H${added.centre - 8} q8 0 8 -8 V${added.bottom}`, "ink");
    if (first) line("rows", `M${first.left - 14} ${first.middle} H${first.left}`, "ink");
    if (stream) line("added", `M${added.centre} ${low - 8} q0 8 8 8 H${stream.centre - 8} q8 0 8 -8 V${stream.bottom}`, "ink");
    drawing.replaceChildren(...lines);
  }
}
