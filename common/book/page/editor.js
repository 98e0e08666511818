// Links into the reader's editor, whose address differs from editor to editor.

import { data } from "./course.js";
import { html } from "./dom.js";

const addresses = {
  vscode: ["VS Code", (file, line) => `vscode://file${file}${line ? `:${line}` : ""}`],
  jetbrains: ["JetBrains", (file, line) => `jetbrains://clion/navigate/reference?project=${data.project}&path=${file.slice(data.folder.length + 1)}${line ? `:${line}` : ""}`],
  emacs: ["Emacs", (file, line) => `emacs://open?url=file://${file}${line ? `&line=${line}` : ""}`],
  none: ["none", null],
};

let chosen = "vscode";
try { chosen = localStorage.getItem("editor") ?? chosen; } catch { /* no storage: only for this page, then */ }

/// Gives a link its address.
function aim(link) {
  const [name, address] = addresses[chosen] ?? addresses.vscode;
  const { file, line } = link.dataset;
  link.toggleAttribute("href", false);
  link.title = address ? `opens in ${name}; the foot of the page has other editors` : file;
  if (address) link.href = address(file, line);
}

/// A text whose places in an exercise's file are links: "3_x.cpp:12", "line 12".
export function linked(text, { absolute }) {
  if (!absolute) return [text];
  const name = absolute.slice(absolute.lastIndexOf("/") + 1).replaceAll(".", "\\.");
  const parts = [];
  let done = 0;
  for (const found of text.matchAll(new RegExp(`[\\w./-]*${name}(?::(\\d+))?|\\bline (\\d+)(?: of ${name})?`, "g"))) {
    const link = html("a", { "data-file": absolute, "data-line": found[1] ?? found[2] }, found[0]);
    aim(link);
    parts.push(text.slice(done, found.index), link);
    done = found.index + found[0].length;
  }
  return [...parts, text.slice(done)];
}

/// The links that are on the page, and the choice of an editor in its foot.
export function editors(foot) {
  const links = () => document.querySelectorAll("a[data-file]");
  links().forEach(aim);
  const choose = ({ target: { value } }) => {
    chosen = value;
    try { localStorage.setItem("editor", chosen); } catch { /* only for this page, then */ }
    links().forEach(aim);
  };
  foot.append(html("label", {}, "Files open in ", html("select", { id: "editor", change: choose },
    Object.entries(addresses).map(([key, [name]]) => html("option", { value: key, selected: key === chosen ? "" : null }, name)))));
}
