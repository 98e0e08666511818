// The two models of the map, read from their files, and our functions for them in plain loops. A vector is an
// array of numbers, a matrix an array of rows. Every weight has a name in .kept, by which programs keep it
// between calls.

import { dot, softmax } from "./arrays.js";
import { data } from "./course.js";
import { stationsOf } from "./map_stations.js";

const bytes = (name) => fetch(`${data.root}${name}`).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(name))));
const inLesson = (id, name) => bytes(`lessons/${data.lessons.find((lesson) => lesson.id === id)?.folder}/${name}`);
const range = (n) => Array.from({ length: n }, (_, i) => i);
const zeros = (rows, columns) => range(rows).map(() => new Array(columns).fill(0));
const named = (value, kept) => Object.defineProperty(value, "kept", { value: kept });

/// Integers, bytes and numbers from a file, one after the other.
class File {
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }
  integers = (n) => range(n).map(() => this.view.getInt32((this.at += 4) - 4, true));
  bytes = (n) => new Uint8Array(this.view.buffer, (this.at += n) - n, n);
  vector = (n) => range(n).map(() => this.view.getFloat32((this.at += 4) - 4, true));
  matrix = (rows, columns) => range(rows).map(() => this.vector(columns));
  turned = (rows, columns) => transposed(this.matrix(rows, columns));
  ended = () => this.at >= this.view.byteLength;
}

/// A model: {id, stations, sizes, tokens, layers, gain, …}; its sentences, how many tokens it takes and writes, and
/// {encode, bytesOf, isEnd} of its tokens.
const read = { 12: readOf12, 11: readOf11 };
export async function loadModel(id) {
  const model = { id, stations: stationsOf(id), ...(await read[id]()) };
  return { ...model, at: (station) => model.stations.find((each) => each.id === station), shared: model.sizes.n_heads / model.sizes.n_kv_heads, ours: ours(model) };
}

/// The format is described in common/llama/checkpoint.hpp. W_q, W_k, W_v and W_o are turned: project takes a column
/// for each output.
async function readOf12() {
  const [file, pieces] = (await Promise.all(["stories.bin", "pieces.bin"].map((name) => inLesson("12", name)))).map((buffer) => new File(buffer));
  const [d, hidden, n_layers, n_heads, n_kv_heads, n_tokens] = file.integers(7);
  const kv = (d / n_heads) * n_kv_heads;
  const tokens = named(file.matrix(n_tokens, d), "table");
  const layers = range(n_layers).map(() => ({}));
  const all = (name, make) => layers.forEach((layer, l) => (layer[name] = named(make(), `${name} ${l}`)));
  all("gain", () => file.vector(d));
  all("W_q", () => file.turned(d, d));
  all("W_k", () => file.turned(kv, d));
  all("W_v", () => file.turned(kv, d));
  all("W_o", () => file.turned(d, d));
  all("gain2", () => file.vector(d));
  all("W_gate", () => file.matrix(hidden, d));
  all("W_down", () => file.matrix(d, hidden));
  all("W_up", () => file.matrix(hidden, d));
  const gain = file.vector(d);
  return {
    sizes: { n_heads, n_kv_heads }, tokens, layers, gain, ...vocabulary(pieces), longest: 16, written: 24,
    sentences: ["One morning Anna", "The sun was shining, and", "\"Who has taken the ring?\" she asked"],
    about: `Lesson 12's model: ${n_layers} layers, ${n_heads} heads, ${((file.at - 28) / 4).toLocaleString("en")} numbers, all of them found by training on lesson 11's stories.`,
  };
}

/// The format is described in common/language/command.cpp, which writes it. n_heads is 4 on the map.
async function readOf11() {
  const parts = (buffer) => {
    const file = new File(buffer);
    const [n_tokens, context, d, n_heads, n_layers, n_bytes] = file.integers(6);
    return { file, n_tokens, context, d, n_heads, n_layers, characters: [...new TextDecoder().decode(file.bytes(n_bytes))] };
  };
  const own = data.model ? parts(await bytes("book/model.bin")) : null;
  const drawn = own && own.n_heads === 4 && own.context >= 32 && own.file.view.byteLength <= 4 << 20;
  const { file, n_tokens, context, d, n_heads, n_layers, characters } = drawn ? own : parts(await inLesson("11", "model.bin"));
  const stamp = `11 ${file.view.getFloat32(file.view.byteLength - 4, true)}`; // another after each training
  const [tokens, positions] = [n_tokens, context].map((rows) => file.matrix(rows, d));
  const layers = range(n_layers).map((l) => {
    const block = {};
    const all = (read, ...names) => names.forEach((name) => (block[name] = read()));
    all(() => file.vector(d), "attention_gain", "attention_bias");
    all(() => named(file.matrix(d, d), `${stamp} ${l} ${file.at}`), "W_q", "W_k", "W_v", "W_o");
    all(() => file.vector(d), "mlp_gain", "mlp_bias");
    Object.assign(block, { W_in: file.matrix(d, 4 * d), b_in: file.vector(4 * d), W_out: file.matrix(4 * d, d), b_out: file.vector(d) });
    return { ...block, gain: block.attention_gain, bias: block.attention_bias, block: named({ ...block, W_o: zeros(d, d) }, `${stamp} block ${l}`) };
  });
  const nothing = Object.fromEntries(Object.entries(layers[0].block).map(([name, { length, 0: first }]) => [name, first.length ? zeros(length, first.length) : zeros(1, length)]));
  const count = (file.view.byteLength - 24 - new TextEncoder().encode(characters.join("")).length) / 4;
  return {
    sizes: { n_heads, n_kv_heads: n_heads }, tokens, positions, layers, gain: file.vector(d), bias: file.vector(d), nothing,
    encode: (text) => {
      const known = [...text].map((each) => characters.indexOf(each)).filter((token) => token >= 0);
      return known.length ? known : [0];
    },
    unknown: (text) => [...new Set(text)].filter((each) => !characters.includes(each)),
    bytesOf: (token) => new TextEncoder().encode(characters[token]), isEnd: (token) => characters[token] === "\n", longest: 20, written: Math.min(40, context - 20),
    sentences: ["There was once a", "Nora looked for", "\"Where is the lam"],
    about: `Lesson 11's model, whose tokens are characters: ${n_layers} layers, ${n_heads} heads, ${count.toLocaleString("en")} numbers. ${
      drawn ? "They are your own, from ./course run 11." : `They come with the course, and were trained by ./course run 11 in 6,000 steps.${own ? " Yours cannot be drawn: the map takes four heads, 32 positions or more, and 4 MiB at most." : data.live ? " Once you have trained yours, it runs here." : ""}`}`,
  };
}

const first_byte = 3;
/// Of lesson 12. pieces: what each token adds to a text, as bytes.
function vocabulary(file) {
  const [pieces, scores] = [[], []];
  for (file.integers(1); !file.ended(); ) {
    scores.push(...file.vector(1));
    pieces.push(String.fromCharCode(...file.bytes(file.integers(1)[0])));
  }
  const token = new Map(pieces.map((piece, i) => [piece, i]));
  const isByte = (each) => each >= first_byte && each < first_byte + 256;
  const bytesOf = (each) => (each < first_byte ? [] : isByte(each) ? [each - first_byte] : [...pieces[each]].map((c) => c.charCodeAt(0)));
  const names = pieces.slice(0, first_byte + 256).map((piece, i) => (i === 1 ? "start" : i < first_byte ? "end" : piece));
  const encode = (text) => {
    const characters = [...(text && ` ${text}`)].map((each) => String.fromCharCode(...new TextEncoder().encode(each)));
    const tokens = [1, ...characters.flatMap((each) => token.get(each) ?? [...each].map((byte) => first_byte + byte.charCodeAt(0)))];
    for (;;) {
      let best = -1;
      const joined = (i) => token.get(pieces[tokens[i]] + pieces[tokens[i + 1]]);
      for (let i = 1; i + 1 < tokens.length; ++i) {
        if (joined(i) !== undefined && (best < 0 || scores[joined(i)] > scores[joined(best)])) best = i;
      }
      if (best < 0) return tokens;
      tokens.splice(best, 2, joined(best));
    }
  };
  return { encode, bytesOf, names, isEnd: (each) => each < first_byte };
}

/// The text of tokens, as the lessons decode it; and one as it is shown.
export const textOf = ({ bytesOf }, tokens) => new TextDecoder().decode(Uint8Array.from(tokens.flatMap((token) => [...bytesOf(token)])));
export const pieceText = (model, token) => model.names?.[token] ?? textOf(model, [token]).replaceAll(" ", "␣").replaceAll("\n", "⏎");

const transposed = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const times = (W, x) => W.map((row) => dot(row, x));
export const plus = (A, B) => A.map((row, i) => row.map((each, j) => each + B[i][j]));
function project(X, W) {
  return X.map((x) => {
    const y = new Array(W[0].length).fill(0);
    W.forEach((row, k) => row.forEach((w, j) => (y[j] += x[k] * w)));
    return y;
  });
}
const raw_scores = (Q, K) => Q.map((q) => times(K, q));
const scaled_scores = (Q, K) => raw_scores(Q, K).map((row) => row.map((score) => score / Math.sqrt(Q[0].length)));
const layer_norm = (X, gain, bias) => X.map((x) => {
  const mean = x.reduce((a, b) => a + b) / x.length;
  const root = Math.sqrt(x.reduce((total, each) => total + (each - mean) ** 2, 0) / x.length + 1e-5);
  return x.map((each, i) => (gain[i] * (each - mean)) / root + bias[i]);
});
/// x times the normal distribution function, to 1e-7 (Abramowitz and Stegun 1964, 7.1.26).
function gelu(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x) * Math.SQRT1_2);
  const tail = 0.5 * t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp((-x * x) / 2);
  return x * (x < 0 ? tail : 1 - tail);
}

/// What the course's solutions compute with what the map gives them, by the functions' names.
const ours = ({ encode, tokens: table }) => ({
  encode,
  rms_norm: (x, gain) => {
    const root = Math.sqrt(dot(x, x) / x.length + 1e-5);
    return x.map((each, i) => (gain[i] * each) / root);
  },
  layer_norm,
  project,
  split_heads: (X, n) => range(n).map((h) => X.map((row) => row.slice((h * row.length) / n, ((h + 1) * row.length) / n))),
  rotate: (X, positions) => X.map((x, i) => x.map((_, j) => {
    const angle = positions[i] * 10000 ** (-(j - (j % 2)) / x.length);
    return j % 2 ? x[j - 1] * Math.sin(angle) + x[j] * Math.cos(angle) : x[j] * Math.cos(angle) - x[j + 1] * Math.sin(angle);
  })),
  raw_scores,
  scaled_scores,
  causal_mask: (n) => range(n).map((i) => range(n).map((j) => j <= i)),
  apply_mask: (scores, mask) => scores.map((row, i) => row.map((score, j) => (mask[i][j] ? score : -Infinity))),
  softmax_rows: (scores) => scores.map(softmax),
  aggregate: project,
  attend: (K, V, Q) => project(scaled_scores(Q, K).map(softmax), V),
  merge_heads: (heads) => heads[0].map((_, i) => heads.flatMap((head) => head[i])),
  swiglu: (x, W_gate, W_up, W_down) => {
    const up = times(W_up, x);
    return times(W_down, times(W_gate, x).map((z, i) => (z / (1 + Math.exp(-z))) * up[i]));
  },
  transformer_block: (X, { mlp_gain, mlp_bias, W_in, b_in, W_out, b_out }) => // its W_o is 0
    plus(X, project(project(layer_norm(X, mlp_gain, mlp_bias), W_in).map((row) => row.map((z, i) => gelu(z + b_in[i]))), W_out).map((row) => row.map((each, i) => each + b_out[i]))),
  next_logits: ({ positions, gain, bias }, tokens) => // its layer adds nothing
    raw_scores(layer_norm(tokens.map((token, i) => table[token].map((each, j) => each + positions[i][j])), gain, bias), table),
  sample: (logits) => [logits.indexOf(Math.max(...logits))],
});
