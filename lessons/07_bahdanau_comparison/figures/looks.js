// A sentence, what two trained models make of it, and where each looked for every word: choose a word,
// take a weight away. The models are those of the reader's last ./course run 07.

import { button, html, note, reading, row, rowsOf, set, table, text, write } from "../../../book/parts.js";
import { data } from "../../../book/course.js";

const sentences = [
  "the cat sleeps .",
  "the man does not see the old house .",
  "the young girl who sleeps sees the red house of the doctor .",
];
const arms = [
  { name: "additive", title: "additive" },
  { name: "scaled_dot_product", title: "scaled dot product" },
];
/// One model: its translation, and a row of weights for each word of it.
function panel({ name, title }, figure, choose) {
  const says = reading(name);
  const without = reading(`${name}-without`);
  const place = html("div", { class: "wide answer" });
  const root = html("div", { class: "column", "data-arm": name }, html("strong", {}, title), says, place, without);
  let drawn = null; // {table, words, source, weights}
  let removed = null; // [word, source word]
  let sentence = "";

  const ask = figure.caller("translate", (translation) => {
    if (translation) return draw(translation);
    place.replaceChildren();
    write(says, "");
    drawn = null;
  }, { slot: name, open: true });
  const askWithout = figure.caller("translate", (translation) => {
    if (!translation || !removed || !drawn) return;
    const [t, s] = removed;
    const change = translation.words.join(" ") !== drawn.words.join(" ");
    const start = `Without the weight ${text(drawn.weights[t][s], 2)} on “${drawn.source[s]}” at word ${t + 1}: `;
    without.replaceChildren(start, ...translation.words.filter((word) => word !== "</s>").flatMap((word, i) => [word === drawn.words[i] ? word : html("strong", {}, word), " "]), change ? "" : "(no word changes)");
  }, { slot: `${name}-without`, open: true });

  function takeAway(t, s) {
    removed = removed && removed[0] === t && removed[1] === s ? null : [t, s];
    mark();
    write(without, removed ? "…" : "Press a weight to take it away.");
    if (removed) askWithout({ sentence, arm: name, removed: [removed] });
  }
  function mark() {
    drawn.table.cells.forEach((cells, t) => cells.forEach((cell, s) => set(cell, { "aria-pressed": String(Boolean(removed && removed[0] === t && removed[1] === s)) })));
  }

  function draw({ source, words, weights }) {
    const rows = rowsOf(weights);
    const names = (list) => list.map((word) => (word === "</s>" ? "(end)" : word));
    const made = table({ role: "weights", caption: "weights in hundredths", rows: rows.map((line) => line.map((weight) => 100 * weight)), max: 100, digits: 0, classes: "tight", names: { rows: names(words), columns: names(source) } });
    root.style.flexBasis = source.length > 8 ? "100%" : ""; // beside the other model only where both fit
    drawn = { table: made, words, source: names(source), weights: rows };
    removed = null;
    write(says, words.filter((word) => word !== "</s>").join(" "));
    write(without, "Press a weight to take it away.");
    made.cells.forEach((cells, t) => {
      const line = cells[0].parentElement;
      line.addEventListener("pointerenter", () => choose(words[t], t));
      line.addEventListener("focusin", () => choose(words[t], t));
      cells.forEach((cell, s) => {
        set(cell, { role: "button", tabindex: 0, "aria-label": `${text(100 * rows[t][s], 0)} hundredths on “${drawn.source[s]}” for “${names(words)[t]}”: take them away` });
        cell.addEventListener("click", () => takeAway(t, s));
        cell.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          takeAway(t, s);
        });
      });
    });
    mark();
    place.replaceChildren(made.root);
  }

  return {
    root,
    ask: (now) => ask({ sentence: (sentence = now), arm: name, removed: [] }),
    /// The row of that word, or if it writes no such word the row at the same place; where it looks most.
    show: (word, t) => {
      if (!drawn) return null;
      const same = drawn.words[t] === word ? t : drawn.words.indexOf(word);
      const at = same >= 0 ? same : Math.min(t, drawn.words.length - 1);
      drawn.table.cells.forEach((cells, i) => cells[0].parentElement.classList.toggle("chosen", i === at));
      const line = drawn.weights[at];
      const most = line.indexOf(Math.max(...line));
      return `${title} looks at “${drawn.source[most]}” with ${text(line[most], 2)} for “${drawn.words[at] === "</s>" ? "(end)" : drawn.words[at]}”`;
    },
  };
}

export default function looks(figure) {
  figure.tell(
    "Two models were trained alike but for the score. Point at a word of a translation, or move to it with the tab key: its row says where that model looked " +
      "while it wrote the word. Then press a weight: it is set to 0 at that step, the others are divided by their sum, and the model writes on.",
  );
  if (!data.live) return figure.add(note("This figure needs two trained models, which this page does not have. To train them, get the course and run ./course run 07, then ./course book."));
  const where = reading("where");
  function choose(word, t) {
    write(where, panels.map((panel) => panel.show(word, t)).filter(Boolean).join("; ") + ".");
  }
  const panels = arms.map((arm) => panel(arm, figure, choose));

  const input = html("input", { type: "text", value: sentences[0], maxlength: 200, autocomplete: "off", spellcheck: "false" });
  function translate(sentence) {
    input.value = sentence;
    write(where, "");
    panels.forEach((panel) => panel.ask(sentence.trim()));
  }
  const form = html("form", { class: "row", submit: (event) => { event.preventDefault(); translate(input.value); } },
    html("label", {}, "Sentence ", input), html("button", { type: "submit" }, "translate"));
  figure.add(
    form,
    row(...sentences.map((sentence) => button(sentence, () => translate(sentence)))),
    row(...panels.map(({ root }) => root)),
    where,
    note("The models are those of your last ./course run 07. They know the words of the made corpus; any other is one unknown word to them."),
  );
  translate(sentences[0]);
}
