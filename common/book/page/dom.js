// Makes elements: html("p", {class: "note"}, "text", child), svg("line", {x1: 0, …}).
// An attribute whose value is a function listens for that event; null and false leave one out.

function build(element, attributes, children) {
  set(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
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
  build(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/// Puts text there only if it is another, so that a screen reader is not disturbed.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
