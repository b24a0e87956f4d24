// Elements from plain values: text stays text, and nothing is ever parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const el = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

export const byId = (id) => document.getElementById(id);

export function put(node, ...children) {
  node.replaceChildren();
  return filled(node, {}, children);
}

export function say(text) {
  byId("live").textContent = text;
}

export function problem(error) {
  const shown = byId("problem");
  shown.hidden = !error;
  shown.textContent = error ? String(error.message || error) : "";
}

export function button(text, onclick, more = {}) {
  return el("button", { type: "button", onclick, ...more }, text);
}

export function field(label, control, hint = "") {
  return el("label", { class: "field" }, el("span", {}, label), control,
    hint ? el("small", {}, hint) : null);
}

// A text that a browser keeps as a file.
export function download(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
