// The board: a grid of buttons drawn from the places the game gives, and what lies, glows and is seen on each.

import { Glow } from "./lights.js";
import * as words from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

export function disc(side, letters = {}) {
  const made = element("span", { class: "disc", "data-side": side });
  for (const face of ["heads", "tails"]) {
    made.append(element("span", { class: `face ${face}`, "data-letter": letters[face] ?? "" }));
  }
  return made;
}

// Which side shows which piece, and the letter on it.
export function faces(scene) {
  const sideOf = scene.game.faces;
  const pieceOf = {};
  for (const [piece, side] of Object.entries(sideOf)) pieceOf[side] ??= piece;
  const letters = Object.fromEntries(Object.entries(pieceOf).map(([side, piece]) => [side, scene.game.letters[piece] ?? ""]));
  return { sideOf, pieceOf, letters };
}

// What a person standing at the board would say lies there.
export function liesAt(scene, cell) {
  if (!scene.simulated || !scene.hands) return scene.cells[cell]?.lies ?? null;
  const side = scene.hands[cell];
  if (!side) return null;
  const { pieceOf, sideOf } = faces(scene);
  const lies = scene.cells[cell]?.lies;
  return sideOf[lies] === side ? lies : pieceOf[side];
}

export class Board {
  #squares = new Map();
  #drawn = "";
  #at = null;

  constructor(grid, rim) {
    this.grid = grid;
    this.rim = rim;
    grid.addEventListener("focusin", ({ target }) => this.#stand(target.closest("[data-cell]")?.dataset.cell));
  }

  get at() {
    return this.#at;
  }

  get places() {
    return [...this.#squares.values()].map(({ place }) => place);
  }

  show(scene, show) {
    const drawn = JSON.stringify(scene.game.cells);
    if (drawn !== this.#drawn) this.#draw(scene, drawn);
    this.grid.setAttribute("aria-label", `Board of ${scene.game.title}`);
    const candidates = [...this.#squares.keys()].filter((cell) => scene.cells[cell]?.light?.meaning === "choice").sort();
    for (const [cell, square] of this.#squares) {
      square.show(scene, show, { at: candidates.indexOf(cell), of: candidates.length });
    }
  }

  // The cell next in a direction: near, and not far to the side.
  beside(cell, dx, dy) {
    const { x, y } = this.#squares.get(cell).place;
    let best = null;
    for (const { place } of this.#squares.values()) {
      const along = (place.x - x) * dx + (place.y - y) * dy;
      const across = Math.abs((place.x - x) * dy) + Math.abs((place.y - y) * dx);
      const far = along + 2 * across;
      if (along > 0.2 && across <= along && (!best || far < best.far)) best = { far, cell: place.cell };
    }
    return best?.cell ?? null;
  }

  rowOf(cell) {
    const { y } = this.#squares.get(cell).place;
    return this.places.filter((place) => place.y === y).sort((one, other) => one.x - other.x).map((place) => place.cell);
  }

  go(cell) {
    this.#squares.get(cell)?.button.focus();
  }

  nearest(clientX, clientY) {
    return document.elementFromPoint(clientX, clientY)?.closest?.("#board [data-cell]")?.dataset.cell ?? null;
  }

  onBoard(clientX, clientY) {
    const box = this.rim.parentElement.getBoundingClientRect();
    return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  }

  #draw(scene, drawn) {
    const places = scene.game.cells;
    const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
    const [cols, rows] = [Math.max(...places.map(({ x }) => x)) - left + 1, Math.max(...places.map(({ y }) => y)) - top + 1];
    document.body.style.setProperty("--cols", cols);
    document.body.style.setProperty("--rows", rows);
    this.grid.setAttribute("aria-rowcount", new Set(places.map(({ y }) => y)).size);
    this.grid.setAttribute("aria-colcount", new Set(places.map(({ x }) => x)).size);
    this.#squares.clear();
    const lines = new Map();
    for (const place of places) {
      const square = new Square(place, place.x - left, place.y - top);
      this.#squares.set(place.cell, square);
      lines.set(place.y, [...(lines.get(place.y) ?? []), square]);
    }
    this.grid.replaceChildren(...[...lines].sort(([a], [b]) => a - b).map(([, squares], n) => row(squares, n)));
    this.#letter(places, left, top);
    this.#drawn = drawn;
    this.#stand(this.#squares.has(this.#at) ? this.#at : places[0].cell);
  }

  // Letters along the top and numbers down the side, where the names follow the columns and rows.
  #letter(places, left, top) {
    const along = headings(places, "x", (name) => name.replace(/\d+$/, ""));
    const down = headings(places, "y", (name) => name.replace(/^\D+/, ""));
    const marks = [];
    if (along && down) {
      for (const [x, text] of along) marks.push(mark(text, x - left, null));
      for (const [y, text] of down) marks.push(mark(text, null, y - top));
    }
    this.rim.replaceChildren(...marks);
  }

  #stand(cell) {
    if (!cell) return;
    this.#squares.get(this.#at)?.button.setAttribute("tabindex", "-1");
    this.#at = cell;
    this.#squares.get(cell).button.setAttribute("tabindex", "0");
  }
}

function row(squares, n) {
  const made = element("div", { role: "row", "aria-rowindex": n + 1 });
  squares.sort((one, other) => one.place.x - other.place.x).forEach(({ button }, m) => {
    button.setAttribute("aria-colindex", m + 1);
    made.append(button);
  });
  return made;
}

function headings(places, axis, part) {
  const found = new Map();
  for (const place of places) {
    const text = part(place.name);
    if (!text || text === place.name || (found.get(place[axis]) ?? text) !== text) return null;
    found.set(place[axis], text);
  }
  return found;
}

function mark(text, x, y) {
  const made = element("span", { class: x === null ? "down" : "along" }, text);
  made.style.setProperty(x === null ? "--y" : "--x", x ?? y);
  return made;
}

class Square {
  #lies;
  #disc = null;

  constructor(place, x, y) {
    this.place = place;
    this.glow = new Glow(element("span", { class: "glow", hidden: "" }));
    this.ghost = element("span", { class: "ghost", hidden: "" });
    this.sees = element("span", { class: "sees", hidden: "" });
    this.sign = element("span", { class: "sign", hidden: "" });
    this.button = element("button", { type: "button", role: "gridcell", class: "cell", "data-cell": place.cell, tabindex: "-1" });
    this.button.style.setProperty("--x", x);
    this.button.style.setProperty("--y", y);
    this.button.append(this.glow.element, this.ghost, this.sees, this.sign);
  }

  show(scene, show, candidate) {
    const seen = scene.cells[this.place.cell] ?? {};
    const lies = liesAt(scene, this.place.cell);
    const { sideOf, letters } = faces(scene);
    this.#lay(lies, sideOf[lies === "unknown" ? seen.should : lies], letters);
    this.glow.show(seen.light, scene.legend, candidate, show.still);
    this.#ghost(scene, seen, lies, show, sideOf);
    this.#badge(seen, show);
    this.#sign(seen.light, scene.legend);
    this.button.toggleAttribute("data-aside", Boolean(seen.aside));
    this.button.setAttribute("aria-label", words.cell(scene, this.place, lies, show));
  }

  #lay(lies, side, letters) {
    const shown = lies === "some" ? "some" : side ?? null;
    this.button.toggleAttribute("data-holds", shown !== null);
    this.button.toggleAttribute("data-unseen", lies === "unknown");
    const lettered = shown && letters.heads + letters.tails;
    if (shown && this.#disc && this.#lies === lettered) {
      this.#disc.dataset.side = shown;
      return;
    }
    this.#disc?.remove();
    this.#disc = shown ? disc(shown, letters) : null;
    this.#lies = lettered;
    if (this.#disc) this.glow.element.after(this.#disc);
  }

  // What should lie here instead: always where something is to be put, elsewhere when one asks for it.
  #ghost(scene, seen, lies, show, sideOf) {
    const wanted = seen.light?.do === "put" ? seen.light.to : seen.should;
    const asked = seen.light?.do === "put" || (show.difference && words.differs(seen, lies));
    this.ghost.hidden = !asked;
    this.ghost.dataset.side = wanted ? sideOf[wanted] ?? "some" : "none";
    this.ghost.dataset.over = lies ? "piece" : "felt";
    this.ghost.dataset.letter = wanted ? scene.game.letters[wanted] ?? "" : "";
  }

  #badge(seen, show) {
    this.sees.hidden = !show.sees;
    this.sees.dataset.sees = seen.sees ?? "unknown";
    this.sees.textContent = { heads: "H", tails: "T", piece: "●", empty: "○" }[seen.sees] ?? "?";
  }

  #sign(light, legend) {
    const name = light ? words.sign(light) : "";
    this.sign.hidden = !light;
    if (this.sign.dataset.sign === name && this.sign.dataset.to === (light?.to ?? "")) return;
    this.sign.dataset.sign = name;
    this.sign.dataset.to = light?.to ?? "";
    this.sign.replaceChildren(...(light && !["hint", "last"].includes(name) ? [icon(name)] : []));
    const look = legend.find((entry) => entry.sign === name);
    if (look) this.sign.style.setProperty("--light", this.glow.element.style.getPropertyValue("--light"));
  }
}
