// Rows of weights while d_k slides, with and without the division by √d_k; their entropy and gain.

import { answer, column, matrix, mean, note, reading, room, row, set, svg, text, write } from "../../../book/parts.js";
import { chosenDk, dkSlider, draw, nKeys, nQueries, weightsOf } from "./draws.js";

const side = 16; // of a cell at most, in pixels
const left = 34;
const top = 36;
const right = 46; // for the entropies

/// A row of cells for each query, and its entropy at the end. .show(weights), .nats(entropies)
function heatmap(title, role) {
  const wide = Math.min(side, (room() - left - right) / nKeys);
  const root = svg("svg", { viewBox: `0 0 ${left + nKeys * wide + right} ${top + nQueries * side + 2}`, class: "chart own weights", role: "group", "aria-label": `Weights, ${title}` });
  root.style.maxWidth = `${left + nKeys * wide + right}px`;
  root.append(svg("text", { class: `strong own ${role}`, x: 0, y: 14 }, title), svg("text", { class: "tick", x: 0, y: top - 5 }, "query"), svg("text", { class: "tick", x: left + nKeys * wide + 9, y: top - 5 }, "nats"));
  const rows = Array.from({ length: nQueries }, (_, i) => {
    const line = svg("g", { role: "img" });
    const cells = Array.from({ length: nKeys }, (_, j) => {
      const [x, y] = [left + j * wide, top + i * side];
      const box = svg("rect", { x: x + 0.5, y: y + 0.5, width: wide - 1, height: side - 1, rx: 2 });
      const number = svg("text", { x: x + wide / 2, y: y + 14, "text-anchor": "middle" });
      number.style.fontSize = "calc(11.5px * var(--enlarge, 1))";
      line.append(box, number);
      return { box, number };
    });
    const nats = svg("text", { x: left + nKeys * wide + 9, y: top + i * side + 15, "data-nats": i });
    root.append(svg("text", { class: "tick", x: left - 8, y: top + i * side + 15, "text-anchor": "end" }, String(i)), line, nats);
    return { line, cells, nats };
  });
  return {
    root,
    show: (weights) => rows.forEach(({ line, cells }, i) => {
      const largest = Math.max(...weights[i]);
      set(line, { "aria-label": `query ${i}: largest weight ${text(largest, 3)}, at key ${weights[i].indexOf(largest)}` });
      cells.forEach(({ box, number }, j) => {
        box.style.fill = `color-mix(in srgb, var(--heat) ${(100 * weights[i][j]).toFixed(1)}%, var(--raised))`;
        write(number, weights[i][j] >= 0.095 ? text(100 * weights[i][j], 0) : "");
      });
    }),
    nats: (entropies) => rows.forEach(({ nats }, i) => write(nats, entropies ? text(entropies[i], 2) : "–")),
  };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

export default function collapse(figure) {
  figure.tell(
    "Slide d_k. Queries and keys are random, so no key deserves more than another. Unscaled, each row soon puts all its weight on one key, " +
      "and almost no gradient gets through; divided by √d_k, nothing happens.",
  );
  const drawn = draw(1);
  const arms = [
    { title: "unscaled: softmax(Q Kᵀ)", scaled: false, name: "unscaled" },
    { title: "scaled: softmax(Q Kᵀ / √d_k)", scaled: true, name: "scaled" },
  ].map((arm) => ({ ...arm, map: heatmap(arm.title, arm.name), says: reading(arm.name), entropies: null, gains: null }));
  const partOf = (value, i) => value && value.data.slice(i * nQueries, (i + 1) * nQueries);

  // Both arms at once: the rows of the one above those of the other.
  const both = [2 * nQueries];
  const askEntropy = figure.caller("entropy", (value) => {
    arms.forEach((arm, i) => { arm.entropies = partOf(value, i); arm.map.nats(arm.entropies); });
    say();
  }, { shape: () => both });
  const askGain = figure.caller("gradient_gain", (value) => {
    arms.forEach((arm, i) => (arm.gains = partOf(value, i)));
    say();
  }, { shape: () => both });

  function say() {
    for (const { says, entropies, gains } of arms) {
      write(says, `Mean entropy ${entropies ? text(mean(entropies), 3) : "–"} of ln ${nKeys} = ${text(Math.log(nKeys), 3)} nats; median gain ${gains ? text(median(gains), 4) : "–"}.`);
    }
  }
  function show() {
    const weights = arms.map(({ map, scaled }) => {
      const rows = weightsOf(drawn, chosenDk(), scaled);
      map.show(rows);
      return rows;
    });
    const stacked = matrix(weights.flat());
    askEntropy(stacked);
    askGain(stacked);
  }
  say();
  figure.add(
    dkSlider(figure, show),
    row(...arms.map(({ map, says }) => column(map, answer(says)))),
    note(`${nQueries} queries and ${nKeys} keys, standard normal. Each cell is a weight, in hundredths from 10 on; at the end of a row, its entropy.`),
  );
  show();
}
