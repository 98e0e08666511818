// Lesson 12's own model, read from its two files, and our functions for it in plain loops. A vector is an
// array of numbers, a matrix an array of rows.

import { dot, softmax } from "./arrays.js";
import { data } from "./course.js";

/// {sizes, tokens, layers, gain, pieces, scores}. Every weight has a name in .kept, by which programs keep it
/// between calls.
export async function loadModel() {
  const folder = data.lessons.find(({ id }) => id === "12")?.folder;
  const bytes = (name) => fetch(`${data.root}lessons/${folder}/${name}`).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error(name))));
  const [model, pieces] = await Promise.all([bytes("stories.bin"), bytes("pieces.bin")]);
  return { ...checkpoint(new DataView(model)), ...vocabulary(new DataView(pieces)) };
}

/// The format is described in common/llama/checkpoint.hpp. W_q, W_k, W_v and W_o are turned: project takes a column
/// for each output.
function checkpoint(view) {
  const [dim, hidden, n_layers, n_heads, n_kv_heads, n_tokens] = Array.from({ length: 7 }, (_, i) => view.getInt32(4 * i, true));
  let at = 28;
  const vector = (n) => Array.from({ length: n }, () => view.getFloat32((at += 4) - 4, true));
  const matrix = (rows, columns) => Array.from({ length: rows }, () => vector(columns));
  const turned = (rows, columns) => transposed(matrix(rows, columns));
  const named = (value, kept) => Object.assign(value, { kept });
  const kv = (dim / n_heads) * n_kv_heads;
  const tokens = named(matrix(n_tokens, dim), "table");
  const layers = Array.from({ length: n_layers }, () => ({}));
  const all = (name, read) => layers.forEach((layer, l) => (layer[name] = named(read(), `${name} ${l}`)));
  all("gain", () => vector(dim));
  all("W_q", () => turned(dim, dim));
  all("W_k", () => turned(kv, dim));
  all("W_v", () => turned(kv, dim));
  all("W_o", () => turned(dim, dim));
  all("gain2", () => vector(dim));
  all("W_gate", () => matrix(hidden, dim));
  all("W_down", () => matrix(dim, hidden));
  all("W_up", () => matrix(hidden, dim));
  return { sizes: { n_heads, n_kv_heads, n_tokens }, tokens, layers, gain: vector(dim) };
}

/// pieces: what each token adds to a text, as bytes.
function vocabulary(view) {
  const pieces = [];
  const scores = [];
  for (let at = 4; at < view.byteLength; ) {
    const length = view.getInt32(at + 4, true);
    scores.push(view.getFloat32(at, true));
    pieces.push(String.fromCharCode(...new Uint8Array(view.buffer, at + 8, length)));
    at += 8 + length;
  }
  return { pieces, scores, token: new Map(pieces.map((piece, i) => [piece, i])) };
}

const first_byte = 3;
const bytesOf = (text) => String.fromCharCode(...new TextEncoder().encode(text));
const isByte = (token) => token >= first_byte && token < first_byte + 256;

/// The text of tokens, as lesson 12 decodes it.
export function textOf({ pieces }, tokens) {
  const bytes = tokens.map((token) => (token < first_byte ? "" : isByte(token) ? String.fromCharCode(token - first_byte) : pieces[token])).join("");
  return new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}
export const pieceText = (model, token) => (token === 1 ? "start" : token < first_byte ? "end" : isByte(token) ? model.pieces[token] : textOf(model, [token]).replaceAll(" ", "␣").replaceAll("\n", "⏎"));

function encode({ pieces, scores, token }, text) {
  const characters = [...(text && ` ${text}`)].map(bytesOf);
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
}

const range = (n) => Array.from({ length: n }, (_, i) => i);
const transposed = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const times = (W, x) => W.map((row) => dot(row, x));
function project(X, W) {
  return X.map((x) => {
    const y = new Array(W[0].length).fill(0);
    W.forEach((row, k) => row.forEach((w, j) => (y[j] += x[k] * w)));
    return y;
  });
}
const raw_scores = (Q, K) => Q.map((q) => times(K, q));

/// What the course's solutions compute, by the functions' names.
export const ours = (model) => ({
  encode: (text) => encode(model, text),
  rms_norm: (x, gain) => {
    const root = Math.sqrt(dot(x, x) / x.length + 1e-5);
    return x.map((each, i) => (gain[i] * each) / root);
  },
  project,
  split_heads: (X, n) => range(n).map((h) => X.map((row) => row.slice((h * row.length) / n, ((h + 1) * row.length) / n))),
  rotate: (X, positions) => X.map((x, i) => x.map((_, j) => {
    const angle = positions[i] * 10000 ** (-(j - (j % 2)) / x.length);
    return j % 2 ? x[j - 1] * Math.sin(angle) + x[j] * Math.cos(angle) : x[j] * Math.cos(angle) - x[j + 1] * Math.sin(angle);
  })),
  raw_scores,
  scaled_scores: (Q, K) => raw_scores(Q, K).map((row) => row.map((score) => score / Math.sqrt(Q[0].length))),
  causal_mask: (n) => range(n).map((i) => range(n).map((j) => j <= i)),
  apply_mask: (scores, mask) => scores.map((row, i) => row.map((score, j) => (mask[i][j] ? score : -Infinity))),
  softmax_rows: (scores) => scores.map(softmax),
  aggregate: project,
  merge_heads: (heads) => heads[0].map((_, i) => heads.flatMap((head) => head[i])),
  swiglu: (x, W_gate, W_up, W_down) => {
    const up = times(W_up, x);
    return times(W_down, times(W_gate, x).map((z, i) => (z / (1 + Math.exp(-z))) * up[i]));
  },
  sample: (logits) => [logits.indexOf(Math.max(...logits))],
});
