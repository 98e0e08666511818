// A matrix as a picture, a pixel for each number.

import { html } from "./dom.js";

export const inks = { q: "--q, var(--blue)", k: "--k, var(--orange)", v: "--v, var(--green)", scores: "--scores, var(--heat)", weights: "--weights, var(--heat)", output: "--output, var(--green)", ink: "--ink" };
const kept = new Map(); // colours as numbers, until the theme changes
function rgb(of) {
  if (!kept.has(of)) {
    const probe = document.body.appendChild(html("i", { style: `color: var(${of})` }));
    const one = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    one.fillStyle = getComputedStyle(probe).color;
    one.fillRect(0, 0, 1, 1);
    kept.set(of, [...one.getImageData(0, 0, 1, 1).data].slice(0, 3));
    probe.remove();
  }
  return kept.get(of);
}
export const forgetColours = () => kept.clear();

/// A sheet's numbers as a picture, a pixel each: darker is larger, numbers below 0 are grey.
export function picture({ rows, colour, head, name }) {
  const [n, m] = [rows.length, rows[0].length];
  const canvas = html("canvas", { width: m, height: n, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  const image = context.createImageData(m, n);
  const most = colour === "weights" ? 1 : Math.max(1e-9, ...rows.flat().filter(Number.isFinite).map(Math.abs));
  const [above, below, bad] = [rgb(inks[colour]), rgb("--faint"), rgb("--red")];
  rows.flat().forEach((value, at) => {
    const finite = Number.isFinite(value);
    const level = finite ? Math.min(Math.abs(value) / most, 1) : value === -Infinity ? 0.06 : 1;
    image.data.set([...(finite || value === -Infinity ? (value < 0 ? below : above) : bad), Math.round(255 * level * (colour === "ink" || value < 0 ? 0.7 : 1))], 4 * at);
  });
  context.putImageData(image, 0, 0);
  return html("span", { class: `pic of-${colour}`, "data-head": head, "data-name": name.slice(0, 1), style: `--n: ${n}; --h: ${head ?? 0}` }, canvas);
}

