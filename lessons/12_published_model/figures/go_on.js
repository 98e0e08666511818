// A beginning, what the project's model expects next, and a click that goes on with one of it.

import { button, html, reading, row, softmax, sum, text, write } from "../../../book/parts.js";

const start = "One morning Anna";
const shown = 8; // of 512 tokens

export default function go_on(figure) {
  figure.tell(
    "Type a beginning. encode makes tokens of it, one box each, and next_logits says how probable each next token is. Click one: it is put at the end, and the model says what comes after that. The model knows the stories of lesson 11, and nothing else.",
  );
  const pieces = html("p", { class: "wide answer", "data-reading": "tokens" });
  const choices = html("div", { class: "column answer" });
  const says = reading("says");

  const next = figure.caller("next_logits", (read, [tokens]) => {
    choices.replaceChildren();
    if (!read) return;
    const name = (token) => (token === 1 ? "start of a text" : read.pieces[token].replaceAll(" ", "␣"));
    pieces.replaceChildren(...tokens.flatMap((token) => [html("code", {}, name(token)), " "]));
    const p = softmax(read.logits.at(-1).data);
    const order = p.map((_, token) => token).sort((a, b) => p[b] - p[a]);
    for (const token of order.slice(0, shown)) {
      choices.append(row(
        html("meter", { min: 0, max: 1, value: p[token], "aria-label": `probability of ${name(token)}` }),
        html("span", { "data-share": token }, text(p[token], 3)),
        button(name(token), () => next([...tokens, token], null)),
      ));
    }
    const bits = sum(p.map((each) => (each > 0 ? -each * Math.log2(each) : 0)));
    write(says, `${tokens.length} tokens. The surprise of the next one is ${text(bits)} bits on average.`);
  });
  const encode = figure.caller("encode", (tokens) => { if (tokens) next(tokens.slice(0, 120), null); });

  const input = html("input", { type: "text", value: start, maxlength: 200, autocomplete: "off", spellcheck: "false", input: () => encode(input.value, null) });
  figure.add(html("label", {}, "Beginning ", input), pieces, choices, says);
  encode(start, null);
}
