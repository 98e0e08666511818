// Our functions once more, for pages without a server (./course book --export): what they answer is what the
// course's solutions answer, which tests/book checks with all that the figures ask.

import { dot, matrix, mean, random, rowsOf, sum, vector } from "./arrays.js";

const rows = (value) => rowsOf(value.bool ?? value);
const times = (A, B) => A.map((a) => B[0].map((_, j) => sum(a.map((x, k) => x * B[k][j]))));
const scoresOf = (Q, K, by = 1) => rows(Q).map((q) => rows(K).map((k) => dot(q, k) / by));
const root = (Q) => Math.sqrt(Q.shape[1]);
const nats = (row) => -sum(row.map((p) => (p > 0 ? p * Math.log(p) : 0)));

/// 0 throughout where every score is −∞.
function weightsOf(scores) {
  const most = Math.max(...scores);
  const terms = scores.map((score) => (most === -Infinity ? 0 : Math.exp(score - most)));
  const total = sum(terms);
  return terms.map((term) => (total > 0 ? term / total : 0));
}

export const project = (X, W) => matrix(times(rows(X), rows(W)));
export const compute_qkv = (X, W_q, W_k, W_v) => ({ Q: project(X, W_q), K: project(X, W_k), V: project(X, W_v) });

export const raw_scores = (Q, K) => matrix(scoresOf(Q, K));
export const scaled_scores = (Q, K) => matrix(scoresOf(Q, K, root(Q)));

export const softmax = ({ data }) => vector(weightsOf(data));
export const softmax_rows = (scores) => matrix(rows(scores).map(weightsOf));
export const softmax_jacobian = ({ data: p }) => matrix(p.map((a, i) => p.map((b, j) => (i === j ? a : 0) - a * b)));

export const aggregate = project;
export const attention_weights = (Q, K) => softmax_rows(scaled_scores(Q, K));
export const self_attention = (Q, K, V) => project(attention_weights(Q, K), V);

export const causal_mask = (n) => matrix(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i)));
export function masked_softmax(scores, mask) {
  const seen = rows(mask);
  return matrix(rows(scores).map((line, i) => weightsOf(line.map((score, j) => (seen[i][j] ? score : -Infinity)))));
}

export const entropy = (weights) => vector(rows(weights).map(nats));
export const gradient_gain = (weights) => vector(rows(weights).map((p) => {
  let g = p.map((_, j) => Number(j === p.indexOf(Math.max(...p))));
  for (let before = -1, gain = 0; ; ) {
    const inner = dot(p, g);
    g = p.map((weight, j) => weight * (g[j] - inner));
    [before, gain] = [gain, Math.hypot(...g)];
    if (!(gain - before > 1e-12 * gain)) return gain;
    g = g.map((each) => each / gain);
  }
}));
export const entropy_sweep = (Q, K, d_ks, scaled) => ({
  d_ks,
  entropies: vector(d_ks.map((d_k) => {
    const cut = (X) => matrix(rows(X).map((row) => row.slice(0, d_k)));
    return mean(entropy(softmax_rows((scaled ? scaled_scores : raw_scores)(cut(Q), cut(K)))).data);
  })),
});
export const predicted_entropy = (n_keys, variance) => Math.max(0, Math.log(n_keys) - variance / 2);
export const dk_at_collapse = ({ d_ks, entropies }) => d_ks[entropies.data.findIndex((each) => each <= entropies.data[0] / 2)] ?? 0;

export function softmax_backward(weights, d_weights) {
  const G = rows(d_weights);
  return matrix(rows(weights).map((p, i) => p.map((weight, j) => weight * (G[i][j] - dot(p, G[i])))));
}

const turn = (position, k, d) => position * 10000 ** ((-2 * k) / d);
export const sinusoidal_positions = (n, d) => matrix(Array.from({ length: n }, (_, p) =>
  Array.from({ length: d }, (_, j) => (j % 2 ? Math.cos : Math.sin)(turn(p, Math.floor(j / 2), d)))));
export const rotate = (X, { data: positions }) => matrix(rows(X).map((x, i) => x.map((_, j) => {
  const angle = turn(positions[i], Math.floor(j / 2), x.length);
  return j % 2 ? x[j - 1] * Math.sin(angle) + x[j] * Math.cos(angle) : x[j] * Math.cos(angle) - x[j + 1] * Math.sin(angle);
})));

export function merge(a, b) {
  const maximum = Math.max(a.maximum, b.maximum);
  if (maximum === -Infinity) return a;
  const [of_a, of_b] = [a, b].map((each) => Math.exp(each.maximum - maximum));
  return { maximum, sum: of_a * a.sum + of_b * b.sum, output: vector(a.output.data.map((each, i) => of_a * each + of_b * b.output.data[i])) };
}

/// The probabilities that the contract of sample gives the tokens.
export function probabilities(logits, temperature, top_k, top_p) {
  const order = logits.map((_, t) => t).sort((a, b) => logits[b] - logits[a] || a - b);
  if (temperature === 0) return logits.map((_, t) => Number(t === order[0]));
  const left = order.slice(0, top_k > 0 ? top_k : logits.length);
  const p = weightsOf(left.map((t) => logits[t] / temperature));
  let kept = 1;
  for (let reached = p[0]; top_p < 1 && reached < top_p && kept < left.length; ++kept) reached += p[kept];
  const those = p.slice(0, top_p < 1 ? kept : left.length);
  return logits.map((_, t) => (those[left.indexOf(t)] ?? 0) / sum(those));
}
/// Other draws than the solution's from the same seeds, with the same probabilities.
export const sample = ({ data }, temperature, top_k, top_p, seeds) => {
  const p = probabilities(data, temperature, top_k, top_p);
  return seeds.map((seed) => {
    let left = random(seed)();
    const token = p.findIndex((each) => (left -= each) < 0);
    return token < 0 ? p.indexOf(Math.max(...p)) : token;
  });
};
