// The living map: a sentence is typed, passes every station, and the text goes on.

import { choice } from "./controls.js";
import { data, exercises, listen } from "./course.js";
import { html, write } from "./dom.js";
import { detail } from "./map_detail.js";
import { loadModel, textOf } from "./map_model.js";
import { Pass, Stopped } from "./map_pass.js";
import { theirsRuns, wrong } from "./map_stations.js";
import { View, replace } from "./map_view.js";
import { forgetColours } from "./map_picture.js";
import { addressOf } from "./notice.js";

const patience = 150; // ms after a key, before the reader's functions are called

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class LivingMap {
  /// choices: what shows and changes which model it is.
  constructor(root, model, choices) {
    this.model = model;
    this.used = [...new Set(model.stations.flatMap(({ uses }) => uses))].map((id) => exercises.get(id)).filter(Boolean);
    this.chosen = { station: null, layer: 0, head: 0, token: 0 };
    this.passes = [];
    this.view = new View(model, (part) => this.choose(part));
    this.input = html("input", { type: "text", id: "map-sentence", value: model.sentences[0], maxlength: 120, autocomplete: "off", spellcheck: "false", input: () => this.go(patience) });
    this.says = html("p", { class: "map-says", role: "status" });
    this.goesOn = html("div", { class: "map-goes-on" });
    this.harm = html("p", { class: "map-harm", role: "status" });
    this.opened = html("div", { class: "map-opened", role: "region", "aria-label": "The opened station", tabindex: -1 });
    const sentences = model.sentences.map((each) => html("button", { type: "button", click: () => { this.input.value = each; this.go(); } }, each));
    root.replaceChildren(
      html("p", { class: "map-lead" }, "A sentence flows through a whole language model. Every lamp is a function that you write: ", ...[["ours", " ours until yours passes, "], ["theirs", " yours, "], ["failing", " yours, failing."]].map(([state, words]) => html("span", { "data-state": state }, html("span", { class: "lamp" }), words))),
      html("div", { class: "map-ask" }, html("label", { for: "map-sentence" }, "A sentence"), this.input, sentences), choices.root,
      this.says, this.view.model, this.view.layer, this.goesOn, this.harm, this.opened,
      html("p", { class: "note" }, `${model.about} It knows that text and nothing else. `,
        data.live ? "Our functions run in this page, yours in C++ on this machine." : "This page runs on ours; ./course book runs it on your own functions."));
  }

  choose(part) {
    const again = part.station !== undefined && part.station === this.chosen.station && part.head === undefined;
    Object.assign(this.chosen, part, again ? { station: null } : {});
    this.show();
    if (part.station && !again) this.opened.firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  show() {
    if (!this.ours?.note("dice")) return;
    this.view.show(this.mine, this.ours, this.chosen);
    replace(this.opened, ...(this.chosen.station ? detail({ model: this.model, mine: this.mine, ours: this.ours, chosen: this.chosen, choose: (part) => this.choose(part) }) : []));
    this.sayHarm();
  }

  pass(options) {
    const pass = new Pass(this.model, options);
    this.passes.push(pass);
    return pass;
  }

  /// A sentence, from the first station to the last, on ours and then on the reader's.
  async go(wait = 0) {
    for (const pass of this.passes) pass.over = true;
    this.passes = [];
    const turn = (this.turn = {});
    delete this.goesOn.dataset.done;
    const reader = this.used.some(theirsRuns);
    const ours = this.pass({ reader: false });
    const start = performance.now();
    const text = this.input.value;
    const all = await ours.encode(text);
    await ours.flow(all.slice(0, this.model.longest));
    const took = performance.now() - start;
    if (turn !== this.turn) return;
    this.chosen.token = ours.tokens.length - 1;
    this.ours = this.mine = ours;
    this.time = { ours: took, cut: all.length > this.model.longest };
    if (reader) {
      if (wait) this.show();
      await pause(wait);
      if (turn !== this.turn) return;
      this.mine = this.pass({ reader: true, seen: (id, layer) => this.came(id, layer) });
      this.view.mine = this.mine;
      const began = performance.now();
      await this.attempt(async () => this.mine.flow((await this.mine.encode(text)).slice(0, this.model.longest)));
      if (turn !== this.turn) return;
      this.time.theirs = performance.now() - began;
    }
    this.show();
    this.say();
    this.view.run();
    await this.write(turn, reader);
  }

  /// Runs until a function gives no answer; tells whether all did.
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return null;
    }
  }

  came(id, layer) {
    if (id === null) return write(this.says, this.mine.waiting);
    this.view.came(id, layer);
  }

  say() {
    const own = this.used.filter(({ state }) => state === "passed").length;
    const whose = own === this.used.length ? "The whole model is yours." : `${own} of its ${this.used.length} functions are yours.`;
    const ms = (time) => `${Math.max(1, Math.round(time))} ms`;
    const took = this.time.theirs === undefined ? `The sentence took ${ms(this.time.ours)} on our functions.` : `The sentence took ${ms(this.time.theirs)} on your functions, ${ms(this.time.ours)} on ours.`;
    const unknown = this.model.unknown?.(this.input.value).map((each) => `“${each}”`).join(", ");
    write(this.says, `${data.live ? whose : ""} ${took}${unknown ? ` The model does not know ${unknown}.` : ""}${this.time.cut ? ` It is cut after ${this.model.longest} tokens.` : ""}`.trim());
  }

  /// The first station whose numbers differ from ours, as [id, layer], or undefined.
  firstHarm() {
    const of = (layered, l) => this.model.stations.filter((each) => Boolean(each.layered) === layered).map(({ id }) => [id, l]);
    const [whole, layers] = [of(false, null), this.model.layers.flatMap((_, l) => of(true, l))];
    return [...whole.slice(0, 2), ...layers, ...whole.slice(2)].find(([id, l]) => this.view.harm(id, l).share > 0);
  }

  /// Where the damage begins, and what it does to the rows after every layer.
  sayHarm() {
    const broken = this.used.filter(wrong);
    const first = this.firstHarm();
    const fails = broken.flatMap((each, i) => [i ? ", " : "", html("a", { href: addressOf(each) }, `${each.id} ${each.title}`)]);
    if (broken.length) fails.push(broken.length > 1 ? " fail. " : " fails. ");
    if (!first) return this.harm.replaceChildren(...fails, broken.length === 0 ? "" : broken.some(theirsRuns) ? "With this sentence the numbers are the same as ours." : "It does not compile: ours runs until it does.");
    const [id, l] = first;
    const place = `${this.model.at(id).label}${l === null ? "" : ` in layer ${l + 1}`}`;
    const stopped = this.mine.note(id, l)?.words;
    const shares = this.model.layers.map((_, i) => `${Math.round(100 * this.view.harm("stream", i).share)} %`).join(", ");
    this.harm.replaceChildren(...fails, stopped ? `The sentence gets as far as ${place}: ${stopped}`
      : `The damage begins at ${place}. After the layers the rows differ by ${shares} of their largest number. Follow the red lines.`);
  }

  /// The text that comes after the sentence, token by token, on both sides if they may differ.
  async write(turn, reader) {
    const given = textOf(this.model, this.ours.tokens).trimStart();
    const line = (words, side) => {
      const after = html("span", { class: "written" });
      return { side, after, root: html("p", { "data-side": side }, html("span", { class: "who" }, words), html("span", { class: "given" }, given), after) };
    };
    const lines = this.firstHarm() ? [line("with ours", "ours"), line("with yours", "theirs")] : [line("it goes on", reader ? "theirs" : "ours")];
    this.goesOn.replaceChildren(...lines.map(({ root }) => root));
    for (const { side, after } of lines) {
      const first = side === "ours" ? this.ours : this.mine;
      const note = first.note("dice")?.sheets;
      if (!note) {
        after.append(html("em", {}, " – nothing: no answer comes out of it."));
        continue;
      }
      const tokens = [...first.tokens];
      let last = first;
      for (let next = note[0].rows[0][0], i = 0; next !== null && i < this.model.written && !this.model.isEnd(next); ++i) {
        tokens.push(next);
        after.append(html("span", { class: "token" }, textOf(this.model, [next])));
        const pass = this.pass({ reader: side === "theirs" });
        next = await this.attempt(() => pass.flow(tokens, last));
        last = pass;
        this.passes.splice(this.passes.indexOf(pass), 1);
        await pause(side === "ours" ? 30 : 0);
        if (turn !== this.turn) return;
        if (next === null) after.append(html("em", {}, " – here it stops."));
      }
    }
    this.goesOn.dataset.done = "yes";
  }
}

const models = { 12: "lesson 12's, which reads pieces of words", 11: "lesson 11's, which reads character by character" };

export async function start(root) {
  let map = null;
  const choices = choice({ label: "The model", options: Object.entries(models).reverse(), value: location.hash === "#11" ? "11" : "12", change: async (id) => { await show(id); choices.root.querySelector(":checked").focus({ preventScroll: true }); } });
  async function show(id) {
    for (const pass of map?.passes ?? []) pass.over = true;
    if (map) map.turn = {};
    try {
      map = new LivingMap(root, await loadModel(id), choices);
      map.go();
    } catch (error) {
      root.replaceChildren(choices.root, html("p", { class: "trouble" }, `The map cannot be drawn: lesson ${id}'s model could not be read (${error.message}).`));
    }
  }
  await show(choices.root.querySelector(":checked").value);
  const redraw = () => { forgetColours(); map?.show(); };
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  listen((kind, exercise) => { if (kind === "verdict" && map?.used.includes(exercise)) map.go(); });
}
