// What both figures have in common: random queries and keys, and the d_k that has been chosen.

import { dot, normal, slider, softmax } from "../../../book/parts.js";

export const nQueries = 8;
export const nKeys = 16;

const eighths = [8, 10, 12, 14]; // four steps for each doubling, from 8 on
export const d_ks = [1, 2, 3, 4, 5, 6, 7, ...[1, 2, 4, 8, 16, 32, 64].flatMap((by) => eighths.map((d_k) => by * d_k)), 1024];

/// Standard normal numbers, to two decimals, so that a question stays short.
function rowsFrom(seed, rows) {
  const next = normal(seed);
  return Array.from({ length: rows }, () => Array.from({ length: 1024 }, () => Math.round(100 * next()) / 100));
}

/// Queries and keys of 1024 components. Each d_k sees the first of them.
export const draw = (seed) => ({ Q: rowsFrom(2 * seed, nQueries), K: rowsFrom(2 * seed + 1, nKeys) });
const firstOf = (rows, d_k) => rows.map((row) => row.slice(0, d_k));

/// softmax of the rows of Q Kᵀ, or of Q Kᵀ / √d_k.
export function weightsOf({ Q, K }, d_k, scaled) {
  const keys = firstOf(K, d_k);
  return firstOf(Q, d_k).map((query) => {
    return softmax(keys.map((key) => dot(query, key) / (scaled ? Math.sqrt(d_k) : 1)));
  });
}

// ---- One d_k for the page: each figure has a slider, and both move.

let chosen = 64;
const watching = new Map(); // by figure
export const chosenDk = () => chosen;

/// A figure's slider over d_ks; moved(d_k) is called when it, or that of another figure, has moved.
export function dkSlider(figure, moved) {
  const place = slider({
    label: "d_k", min: 0, max: d_ks.length - 1, value: d_ks.indexOf(chosen), show: (index) => String(d_ks[index]),
    change: (index) => {
      chosen = d_ks[index];
      for (const tell of watching.values()) tell();
    },
  });
  watching.set(figure.id, () => {
    place.put(d_ks.indexOf(chosen));
    moved(chosen);
  });
  return place;
}
