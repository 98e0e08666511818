// One pass of a sentence through the model, station by station, each on the reader's function or on ours.

import { call, exercises } from "./course.js";
import { plus } from "./map_model.js";
import { theirsRuns } from "./map_stations.js";

const slot = `map-${Math.random().toString(36).slice(2, 8)}`;
const waits = ["building", "busy", "away", "fault", "superseded"]; // states of an answer after which to ask again
const again = 1000; // ms

const shapeOf = (value) => (Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : []);
const shapeText = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

const seeds = Object.assign([0], { list: true }); // no array, but a list

const plain = (value) => (value === null || typeof value !== "object" || value.list ? value : Array.isArray(value) ? { shape: shapeOf(value), data: value.flat(Infinity) }
  : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)])));
/// An argument as the server reads it. A weight goes over once: then its name, one of known, is enough.
function sent(value, known) {
  if (!value?.kept) return plain(value);
  if (known?.has(value.kept) !== false) return { kept: value.kept };
  known?.add(value.kept);
  return { ...plain(value), keep: value.kept };
}
/// An answer, an array in arrays again; of 11.1's the output alone.
function received(answer) {
  const value = answer?.output ?? answer;
  if (!value?.shape) return value;
  return value.shape.slice(1).reduceRight((parts, size) => Array.from({ length: parts.length / size }, (_, i) => parts.slice(i * size, (i + 1) * size)), value.data);
}

/// By how much two values differ: {most, share}, the largest difference and its part of the largest number, which is
/// 0 if it may be rounding: 11.1 computes in float.
export function difference(value, expected) {
  const [a, b] = [value, expected].map((each) => [each].flat(Infinity).map(Number));
  if (a.length !== b.length) return { most: Infinity, share: 1 };
  let [most, size] = [0, 1e-300];
  for (let i = 0; i < a.length; ++i) {
    if (Number.isFinite(b[i])) size = Math.max(size, Math.abs(b[i]));
    const off = a[i] === b[i] ? 0 : Math.abs(a[i] - b[i]);
    most = Number.isNaN(off) ? Infinity : Math.max(most, off);
  }
  return { most, share: most > 1e-5 * size ? Math.min(most / size, 1) : 0 };
}

export class Stopped extends Error {}

const sheet = (name, rows, colour, head = null) => ({ name, rows, colour, head });
const ink = (name) => (rows) => [sheet(name, rows, "ink")];
const of = (name, colour) => (heads) => heads.map((rows, h) => sheet(name, rows, colour, h));
const logitSheet = ([rows]) => [sheet("logits", rows, "output")];

/// Notes, for each station, {sheets, words, wrong}: what comes out of it, why nothing comes out, and whether it differs from what ours makes of the same input. seen(station, layer) is called after each.
export class Pass {
  constructor(model, { reader, seen = () => {} }) {
    Object.assign(this, { model, reader, seen, notes: new Map(), over: false, waiting: "" });
  }

  note(id, layer = null) {
    return this.notes.get(layer === null || !this.model.at(id).layered ? id : `${layer} ${id}`);
  }
  noteIn(id, layer, more) {
    const key = this.model.at(id).layered ? `${layer} ${id}` : id;
    this.notes.set(key, { wrong: false, words: "", ...this.notes.get(key), ...more });
  }
  put(id, layer, sheets) {
    this.noteIn(id, layer, { sheets });
    this.seen(id, layer);
  }

  /// What a function answers to each list of arguments.
  async run(id, layer, name, asked) {
    const expected = asked.map((each) => this.model.ours[name](...each));
    const exercise = exercises.get(this.model.at(id).uses.find((use) => exercises.get(use)?.functions.includes(name)));
    if (!this.reader || !theirsRuns(exercise)) return expected;
    const answer = await this.ask(exercise, name, asked);
    const values = (answer.value ?? []).map(received);
    const misshapen = values.findIndex((value, i) => name !== "encode" && String(shapeOf(value)) !== String(shapeOf(expected[i])));
    const unknown = ["encode", "sample"].includes(name) && answer.ok && !(values[0].length && values[0].every((token) => token < this.model.tokens.length));
    const words = !answer.ok ? answer.words : misshapen >= 0 ? `${name} returns the shape ${shapeText(shapeOf(values[misshapen]))}, expected ${shapeText(shapeOf(expected[misshapen]))}.` : unknown ? `${name} returns tokens that there are not.` : "";
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
      const answer = await call({ lesson, function: name, each: asked.map((each) => each.map((value) => sent(value, known))), side: "theirs", slot: `${slot}-${name}` });
      if (this.over) throw new Stopped("a newer sentence");
      const late = waits.includes(answer.state);
      this.waiting = late ? `${id}: ${answer.words}` : "";
      if (!late && (whole || answer.state !== "forgotten")) return answer;
      whole = true;
      if (late) {
        this.seen(null, null);
        await new Promise((done) => setTimeout(done, again));
        if (this.over) throw new Stopped("a newer sentence");
      }
    }
  }

  /// A station of layer l whose numbers are all of one function, which is called for each list of arguments.
  async station(id, l, name, asked, sheets) {
    const values = await this.run(id, l, name, asked);
    this.put(id, l, sheets(values));
    return values;
  }

  async encode(text) {
    if (!this.model.at("tokens").uses.length) return this.model.encode(text);
    const [tokens] = await this.run("tokens", null, "encode", [[text, null]]);
    return tokens;
  }

  /// All stations after the tokens. after: a pass of all tokens but the last, for one that is written: with a cache
  /// only the last goes through, and only its logits are wanted. Returns the next token.
  async flow(tokens, after = null) {
    const { model } = this;
    const { positions } = model;
    this.tokens = tokens;
    this.caches = positions && after ? [...after.caches] : model.layers.map(() => null);
    this.put("tokens", null, ink("tokens")(tokens.map((token) => [token])));
    let x = tokens.map((token, i) => (positions ? plus([model.tokens[token]], [positions[i]])[0] : model.tokens[token]));
    this.put("rows", null, ink("rows")(x));
    if (positions && after) x = x.slice(-1);
    for (let l = 0; l < model.layers.length; ++l) x = await this.layer(x, l);
    const logits = positions ? await this.nextLogits(x) : await this.rawScores(after ? x.slice(-1) : x);
    const [[next]] = await this.station("dice", null, "sample", [[logits.at(-1), 0, 0, 1, seeds]], ([[token]]) => [sheet("next token", [[token]], "output")]);
    return next;
  }

  async rawScores(x) {
    const { gain, tokens } = this.model;
    const normed = await this.station("last", null, "rms_norm", x.map((row) => [row, gain]), ink("norm"));
    return (await this.station("logits", null, "raw_scores", [[normed, tokens]], logitSheet))[0];
  }

  /// By next_logits: the positions make what has come out of the layers of each token's row.
  async nextLogits(x) {
    const { gain, bias, tokens, nothing, sizes: { n_heads } } = this.model;
    const last = this.tokens.slice(-x.length);
    const positions = x.map((row, i) => row.map((each, j) => each - tokens[last[i]][j]));
    return (await this.station("logits", null, "next_logits", [[{ tokens, positions, ...nothing, gain, bias, n_heads }, Object.assign(last, { list: true })]], logitSheet))[0];
  }

  async layer(x, l) {
    const W = this.model.layers[l];
    const { n_heads, n_kv_heads } = this.model.sizes;
    const shared = (h) => Math.floor(h / this.model.shared); // the key head that a head reads
    const nothing = (rows) => rows.map((row) => row.map(() => 0));

    const normed = W.bias ? (await this.station("norm", l, "layer_norm", [[x, W.gain, W.bias, nothing(x)]], ([rows]) => ink("norm")(rows)))[0]
      : await this.station("norm", l, "rms_norm", x.map((row) => [row, W.gain]), ink("norm"));
    const [Q, K, V] = await this.station("project", l, "project", [[normed, W.W_q], [normed, W.W_k], [normed, W.W_v]], (all) => all.map((rows, i) => sheet("QKV"[i], rows, "qkv"[i])));
    let [q, k, v] = await this.station("split", l, "split_heads", [[Q, n_heads], [K, n_kv_heads], [V, n_kv_heads]], (all) => all.flatMap((heads, i) => of("QKV"[i], "qkv"[i])(heads)));
    if (this.model.at("rotate")) {
      const turned = await this.station("rotate", l, "rotate", [...q, ...k].map((each) => [each, x.map((_, i) => i)]), (all) => [...of("Q", "q")(all.slice(0, n_heads)), ...of("K", "k")(all.slice(n_heads))]);
      [q, k] = [turned.slice(0, n_heads), turned.slice(n_heads)];
    }
    const before = this.caches[l];
    let read = before ? q.map(() => []) : await this.attention(l, q, k, v, shared);
    if (this.model.at("cache")) {
      if (before) [k, v] = [[before.k, k], [before.v, v]].map(([kept, more]) => kept.map((rows, h) => [...rows, ...more[h]]));
      this.caches[l] = { k, v };
      const newest = await this.station("cache", l, "attend", q.map((each, h) => [k[h], v[h], each.slice(-1)]), of("output", "output"));
      read = read.map((rows, h) => [...rows.slice(0, -1), ...newest[h]]);
    }
    const [merged] = await this.station("merge", l, "merge_heads", [[read]], ([rows]) => [sheet("output", rows, "output")]);
    const [out] = await this.station("out", l, "project", [[merged, W.W_o]], ([rows]) => [sheet("output · W_o", rows, "output")]);
    const added = plus(x, out);
    this.put("added", l, ink("x + read")(added));
    let [mlp, stream] = [];
    if (W.block) {
      [stream] = await this.run("mlp", l, "transformer_block", [[added, W.block, 1, n_heads, nothing(added)]]);
      mlp = stream.map((row, i) => row.map((each, j) => each - added[i][j]));
    } else {
      const again = await this.station("norm2", l, "rms_norm", added.map((row) => [row, W.gain2]), ink("norm"));
      mlp = await this.run("mlp", l, "swiglu", again.map((row) => [row, W.W_gate, W.W_up, W.W_down]));
      stream = plus(added, mlp);
    }
    this.put("mlp", l, ink("mlp")(mlp));
    this.put("stream", l, ink("x")(stream));
    return stream;
  }

  /// What each head reads, every token from those before it.
  async attention(l, q, k, v, shared) {
    const scores = await this.station("scores", l, "scaled_scores", q.map((each, h) => [each, k[shared(h)]]), of("scores", "scores"));
    const [mask] = await this.run("mask", l, "causal_mask", [[q[0].length]]);
    const masked = await this.station("mask", l, "apply_mask", scores.map((each) => [each, mask]), of("scores", "scores"));
    const finite = (rows) => rows.map((row) => row.map((score) => Math.max(score, -1e300))); // as 03.2 wants them; its weight is 0, too
    const weights = await this.station("softmax", l, "softmax_rows", masked.map((each) => [finite(each)]), of("weights", "weights"));
    return this.station("read", l, "aggregate", weights.map((each, h) => [each, v[shared(h)]]), of("output", "output"));
  }
}
