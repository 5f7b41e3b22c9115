// Small makers of what is on the page: elements, icons, drawings.

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A picture out of the symbols in index.html.
export function icon(name) {
  return drawn("svg", { "aria-hidden": "true" }, drawn("use", { href: `#${name}` }));
}
