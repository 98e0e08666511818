// Colours for C++: comments, texts, words of the language, numbers. Enough for a contract.

import { html } from "./dom.js";

const words =
  "alignas auto bool break case catch char class const constexpr continue default delete do double else enum " +
  "explicit false float for if inline int long namespace new noexcept nullptr operator return short signed " +
  "sizeof static static_cast std::size_t struct switch template this throw true try typename unsigned using " +
  "void while";
const kinds = [
  ["comment", /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ["string", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'/],
  ["directive", /^[ \t]*#[^\n]*/m],
  ["number", /\b\d[\d'.]*(?:e[+-]?\d+)?[fuL]*\b/],
  ["keyword", new RegExp(`\\b(?:${words.split(" ").join("|")})\\b`)],
  ["type", /\b(?:[A-Z]\w*|size_t|uint64_t|string|vector|optional)\b/],
];
const any = new RegExp(kinds.map(([kind, pattern]) => `(?<${kind}>${pattern.source})`).join("|"), "gm");

export function colour(code) {
  const source = code.textContent;
  const parts = [];
  let done = 0;
  for (const found of source.matchAll(any)) {
    const [kind] = Object.entries(found.groups).find(([, part]) => part !== undefined);
    parts.push(source.slice(done, found.index), html("span", { class: `cpp-${kind}` }, found[0]));
    done = found.index + found[0].length;
  }
  code.replaceChildren(...parts, source.slice(done));
}
