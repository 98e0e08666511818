// Makes elements: html("p", {class: "note"}, "text", child), svg("line", {x1: 0, …}). A child is an element, a text,
// or what has an element as its .root, such as a slider; null leaves one out. An attribute whose value is a
// function listens for that event; null and false leave one out.

export function add(element, ...children) {
  element.append(...children.flat().filter((child) => child !== null && child !== undefined).map((child) => child.root ?? child));
  return element;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === null || value === false || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
  return element;
}

export const html = (name, attributes = {}, ...children) =>
  add(set(document.createElement(name), attributes), ...children);

export const svg = (name, attributes = {}, ...children) =>
  add(set(document.createElementNS("http://www.w3.org/2000/svg", name), attributes), ...children);

/// Puts text there only if it is another, so that a screen reader is not disturbed.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
