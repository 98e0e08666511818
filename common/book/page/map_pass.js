// One pass of a sentence through the model, station by station, each on the reader's function or on ours.

import { exercises, calls } from "./course.js";
import { ours } from "./map_model.js";
import { stationOf, theirsRuns } from "./map_stations.js";

const slot = `map-${Math.random().toString(36).slice(2, 8)}`;
const waits = ["building", "busy", "away", "fault", "superseded"]; // states of an answer after which to ask again
const again = 1000; // ms

const shapeOf = (value) => (Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : []);
const shapeText = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

const seeds = Object.assign([0], { list: true }); // no array, but a list

/// An argument as the server reads it. A weight goes over once: then its name, one of known, is enough.
function sent(value, known) {
  if (!Array.isArray(value) || value.list) return value;
  if (value.kept && known?.has(value.kept) !== false) return { kept: value.kept };
  known?.add(value.kept);
  return { ...(value.kept ? { keep: value.kept } : {}), shape: shapeOf(value), data: value.flat(Infinity) };
}
/// An answer, an array in arrays again.
function received(value) {
  if (!value?.shape) return value;
  return value.shape.slice(1).reduceRight((parts, size) => Array.from({ length: parts.length / size }, (_, i) => parts.slice(i * size, (i + 1) * size)), value.data);
}

/// By how much two values differ: {most, share}, the largest difference and its part of the largest number.
export function difference(value, expected) {
  const [a, b] = [value, expected].map((each) => [each].flat(Infinity).map(Number));
  if (a.length !== b.length) return { most: Infinity, share: 1 };
  let [most, size] = [0, 1e-300];
  for (let i = 0; i < a.length; ++i) {
    if (Number.isFinite(b[i])) size = Math.max(size, Math.abs(b[i]));
    const off = a[i] === b[i] ? 0 : Math.abs(a[i] - b[i]);
    most = Number.isNaN(off) ? Infinity : Math.max(most, off);
  }
  return { most, share: most > 1e-9 * size ? Math.min(most / size, 1) : 0 };
}

export class Stopped extends Error {}

const sheet = (name, rows, colour, head = null) => ({ name, rows, colour, head });

/// Notes, for each station, {sheets, side, words, wrong}: what comes out of it, on whose function, why nothing comes
/// out, and whether it differs from what ours makes of the same input. seen(station, layer) is called after each.
export class Pass {
  constructor(model, { reader, seen = () => {} }) {
    Object.assign(this, { model, reader, seen, ours: ours(model), notes: new Map(), over: false, waiting: "" });
  }

  note(id, layer = null) {
    return this.notes.get(layer === null || !stationOf(id).layered ? id : `${layer} ${id}`);
  }
  noteIn(id, layer, more) {
    const key = stationOf(id).layered ? `${layer} ${id}` : id;
    this.notes.set(key, { side: "ours", wrong: false, words: "", ...this.notes.get(key), ...more });
  }
  put(id, layer, sheets) {
    this.noteIn(id, layer, { sheets });
    this.seen(id, layer);
  }

  /// What a function answers to each list of arguments.
  async run(id, layer, name, asked) {
    const expected = asked.map((each) => this.ours[name](...each));
    const exercise = exercises.get(stationOf(id).uses.find((use) => exercises.get(use)?.functions.includes(name)));
    if (!this.reader || !theirsRuns(exercise)) return expected;
    const answers = await this.ask(exercise, name, asked);
    this.noteIn(id, layer, { side: "theirs" });
    const bad = answers.find(({ ok }) => !ok);
    const values = answers.map(({ value }) => received(value));
    const misshapen = bad ? -1 : values.findIndex((value, i) => name !== "encode" && String(shapeOf(value)) !== String(shapeOf(expected[i])));
    const unknown = name === "encode" && !bad && !(values[0].length && values[0].every((token) => token < this.model.tokens.length));
    const words = bad ? bad.words : misshapen >= 0 ? `${name} returns the shape ${shapeText(shapeOf(values[misshapen]))}, expected ${shapeText(shapeOf(expected[misshapen]))}.` : unknown ? "encode returns tokens that there are not." : "";
    if (words) {
      this.noteIn(id, layer, { words, wrong: true, sheets: null });
      this.seen(id, layer);
      throw new Stopped(words);
    }
    if (difference(values, expected).share > 0) this.noteIn(id, layer, { wrong: true });
    return values;
  }

  async ask({ id, lesson }, name, asked) {
    for (let whole = false; ; ) {
      const known = whole ? new Set() : null; // all, until one is not
      const answers = await calls(asked.map((each) => ({ lesson, function: name, arguments: each.map((value) => sent(value, known)), side: "theirs", slot: `${slot}-${name}` })));
      if (this.over) throw new Stopped("a newer sentence");
      const late = answers.find(({ state }) => waits.includes(state));
      this.waiting = late ? `${id}: ${late.words}` : "";
      if (!late && (whole || !answers.some(({ state }) => state === "forgotten"))) return answers;
      whole = true;
      if (late) {
        this.seen(null, null);
        await new Promise((done) => setTimeout(done, again));
        if (this.over) throw new Stopped("a newer sentence");
      }
    }
  }

  async encode(text) {
    const [tokens] = await this.run("tokens", null, "encode", [[text, null]]);
    return tokens;
  }

  /// All stations after the tokens; writing: only the last token's logits are wanted. Returns the next token.
  async flow(tokens, { writing = false } = {}) {
    const { model } = this;
    this.tokens = tokens;
    this.put("tokens", null, [sheet("tokens", tokens.map((token) => [token]), "ink")]);
    let x = tokens.map((token) => model.tokens[token]);
    this.put("rows", null, [sheet("rows", x, "ink")]);
    for (let l = 0; l < model.layers.length; ++l) x = await this.layer(x, l);
    const last = writing ? x.slice(-1) : x;
    const normed = await this.run("last", null, "rms_norm", last.map((row) => [row, model.gain]));
    this.put("last", null, [sheet("norm", normed, "ink")]);
    const [logits] = await this.run("logits", null, "raw_scores", [[normed, model.tokens]]);
    this.put("logits", null, [sheet("logits", logits, "output")]);
    const [[next]] = await this.run("dice", null, "sample", [[logits.at(-1), 0, 0, 1, seeds]]);
    this.put("dice", null, [sheet("next token", [[next]], "output")]);
    return next;
  }

  async layer(x, l) {
    const W = this.model.layers[l];
    const { n_heads, n_kv_heads } = this.model.sizes;
    const shared = (h) => Math.floor(h / (n_heads / n_kv_heads)); // the key head that a head reads
    const positions = x.map((_, i) => i);
    const plus = (A, B) => A.map((row, i) => row.map((each, j) => each + B[i][j]));
    const of = (name, heads, colour) => heads.map((rows, h) => sheet(name, rows, colour, h));

    const normed = await this.run("norm", l, "rms_norm", x.map((row) => [row, W.gain]));
    this.put("norm", l, [sheet("norm", normed, "ink")]);
    const [Q, K, V] = await this.run("project", l, "project", [[normed, W.W_q], [normed, W.W_k], [normed, W.W_v]]);
    this.put("project", l, [sheet("Q", Q, "q"), sheet("K", K, "k"), sheet("V", V, "v")]);
    const [q, k, v] = await this.run("split", l, "split_heads", [[Q, n_heads], [K, n_kv_heads], [V, n_kv_heads]]);
    this.put("split", l, [...of("Q", q, "q"), ...of("K", k, "k"), ...of("V", v, "v")]);
    const turned = await this.run("rotate", l, "rotate", [...q, ...k].map((each) => [each, positions]));
    const keys = turned.slice(n_heads);
    this.put("rotate", l, [...of("Q", turned.slice(0, n_heads), "q"), ...of("K", keys, "k")]);
    const scores = await this.run("scores", l, "scaled_scores", turned.slice(0, n_heads).map((each, h) => [each, keys[shared(h)]]));
    this.put("scores", l, of("scores", scores, "scores"));
    const [mask] = await this.run("mask", l, "causal_mask", [[x.length]]);
    const masked = await this.run("mask", l, "apply_mask", scores.map((each) => [each, mask]));
    this.put("mask", l, of("scores", masked, "scores"));
    const finite = (rows) => rows.map((row) => row.map((score) => Math.max(score, -1e300))); // as 03.2 wants them; its weight is 0, too
    const weights = await this.run("softmax", l, "softmax_rows", masked.map((each) => [finite(each)]));
    this.put("softmax", l, of("weights", weights, "weights"));
    const read = await this.run("read", l, "aggregate", weights.map((each, h) => [each, v[shared(h)]]));
    this.put("read", l, of("output", read, "output"));
    const [merged] = await this.run("merge", l, "merge_heads", [[read]]);
    this.put("merge", l, [sheet("output", merged, "output")]);
    const [out] = await this.run("out", l, "project", [[merged, W.W_o]]);
    this.put("out", l, [sheet("output · W_o", out, "output")]);
    const added = plus(x, out);
    this.put("added", l, [sheet("x + read", added, "ink")]);
    const again = await this.run("norm2", l, "rms_norm", added.map((row) => [row, W.gain2]));
    this.put("norm2", l, [sheet("norm", again, "ink")]);
    const mlp = await this.run("mlp", l, "swiglu", again.map((row) => [row, W.W_gate, W.W_up, W.W_down]));
    this.put("mlp", l, [sheet("mlp", mlp, "ink")]);
    const stream = plus(added, mlp);
    this.put("stream", l, [sheet("x", stream, "ink")]);
    return stream;
  }
}
