// Logits to pull, temperature, top_k and top_p; and the result of a thousand draws.

import { answer, bars, button, panel, reading, row, slider, sum, table, text, vector, write } from "../../../book/parts.js";

const tokens = ["e", "a", "i", "o", "r", "u"]; // after “th”
const draws = 1000;

/// The probabilities that the contract of sample gives the tokens.
function probabilities(logits, temperature, top_k, top_p) {
  const order = logits.map((_, t) => t).sort((a, b) => logits[b] - logits[a] || a - b);
  if (temperature === 0) return logits.map((_, t) => Number(t === order[0]));
  const left = order.slice(0, top_k > 0 ? top_k : logits.length);
  const terms = left.map((t) => Math.exp((logits[t] - logits[order[0]]) / temperature));
  let kept = 1;
  for (let reached = terms[0]; top_p < 1 && reached < top_p * sum(terms) && kept < left.length; ++kept) reached += terms[kept];
  const those = terms.slice(0, top_p < 1 ? kept : left.length);
  return logits.map((_, t) => (those[left.indexOf(t)] ?? 0) / sum(those));
}

export default function dice(figure) {
  figure.tell(
    "A model has read “th” and gives each next character a logit. Slide the temperature down to 0: it writes e, always. Slide it up: u comes more and more often. " +
      "Then cut: top_k keeps so many, however the logits stand; top_p keeps as few as it takes, and fewer where the model is sure.",
  );
  const logits = [2.5, 1.5, 1, 0.5, 0, -1];
  let first = 1; // of the seeds
  const at = { temperature: 1, top_k: 0, top_p: 1 };

  const upper = bars({
    label: "Logits", each: "logit of", names: tokens, y: [-4, 4], ticks: [[-4, "−4"], [0, "0"], [4, "4"]], classes: "orange",
    change: (t, value) => { logits[t] = value; draw(); },
  });
  const lower = bars({ label: "Drawn", names: tokens, y: [0, 1], ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]], digits: 3 });
  const shares = table({ caption: `of ${draws} draws`, rows: [[], []].map(() => tokens.map(() => 0)), names: { rows: ["probability", "share"], columns: tokens }, digits: 3 });
  const says = reading("kept");

  const ask = figure.caller("sample", (drawn, asked) => {
    const p = probabilities(asked[0].data, ...asked.slice(1, 4));
    const counts = tokens.map(() => 0);
    for (const token of drawn ?? []) counts[token] += 1; // what is no token is counted nowhere
    const share = drawn ? counts.slice(0, tokens.length).map((count) => count / draws) : null;
    lower.show(share);
    shares.show([p, share ?? []]);
    const kept = p.filter((each) => each > 0).length;
    const bits = sum(p.map((each) => (each > 0 ? -each * Math.log2(each) : 0)));
    write(says, `${kept} of ${tokens.length} tokens can come. The surprise of a draw is ${text(bits)} bits on average.`);
  });

  function draw() {
    upper.show(logits);
    ask(vector(logits), at.temperature, at.top_k, at.top_p, Array.from({ length: draws }, (_, i) => first + i));
  }

  const control = (label, name, settings) => slider({ label, value: at[name], change: (now) => { at[name] = now; draw(); }, ...settings });
  const temperature = control("temperature", "temperature", { min: 0, max: 4, step: 0.1, show: (now) => text(now, 1) });
  const top_k = control("top_k", "top_k", { min: 0, max: tokens.length, show: (now) => (now === 0 ? "0: all" : String(now)) });
  const top_p = control("top_p", "top_p", { min: 0, max: 1, step: 0.05, show: (now) => text(now) });
  figure.add(
    row(panel("logits of the next character: pull them", upper), panel(`what sample drew, with ${draws} seeds`, answer(lower))),
    temperature, top_k, top_p, says,
    row(answer(shares)),
    row(button("other seeds", () => { first += draws; draw(); })),
  );
  draw();
}
