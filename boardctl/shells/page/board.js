// The board: a grid of buttons drawn from the places the game gives, the lines between them where it has some, and
// what lies, glows and is seen on each.

import { Glow } from "./lights.js";
import { linesOf } from "./lines.js";
import { element, icon } from "./make.js";
import { Spot, faces, liesAt } from "./pieces.js";
import * as words from "./words.js";

export class Board {
  #squares = new Map();
  #drawn = "";
  #lined = "";
  #lines = null;
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

  // `inHand`: the piece lifted just now, and from where.
  show(scene, show, inHand) {
    const drawn = JSON.stringify(scene.game.cells);
    if (drawn !== this.#drawn) this.#draw(scene, drawn);
    const lined = JSON.stringify([drawn, scene.game.edges, show.lines]);
    if (lined !== this.#lined) this.#line(scene, show.lines, lined);
    this.grid.setAttribute("aria-label", `Board of ${scene.game.title}`);
    const candidates = [...this.#squares.keys()].filter((cell) => scene.cells[cell]?.light?.meaning === "choice").sort();
    for (const [cell, square] of this.#squares) {
      const lifted = inHand?.from === cell ? inHand.piece : null;
      square.show(scene, show, { at: candidates.indexOf(cell), of: candidates.length }, lifted);
    }
  }

  // The cell next in a direction: near, and not far to the side.
  beside(cell, dx, dy) {
    const { x, y } = this.#squares.get(cell).place;
    let best = null;
    for (const { place } of this.#squares.values()) {
      const along = (place.x - x) * dx + (place.y - y) * dy;
      const across = Math.abs((place.x - x) * dy) + Math.abs((place.y - y) * dx);
      const far = along + 1.2 * across;
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
    const { left, top, cols, rows } = extent(places);
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
    this.#lined = "";
    this.#stand(this.#squares.has(this.#at) ? this.#at : places[0].cell);
  }

  #line(scene, style, lined) {
    this.#lines?.remove();
    this.#lines = scene.game.edges.length ? linesOf(scene, extent(scene.game.cells), style) : null;
    if (this.#lines) this.grid.prepend(this.#lines);
    this.grid.toggleAttribute("data-lines", Boolean(this.#lines));
    this.#lined = lined;
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
    this.grid.toggleAttribute("data-named", !marks.length);
  }

  #stand(cell) {
    if (!cell) return;
    this.#squares.get(this.#at)?.button.setAttribute("tabindex", "-1");
    this.#at = cell;
    this.#squares.get(cell).button.setAttribute("tabindex", "0");
  }
}

function extent(places) {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, cols: Math.max(...xs) - left + 1, rows: Math.max(...ys) - top + 1 };
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
  if (new Set(found.values()).size < found.size) return null;
  return found;
}

function mark(text, x, y) {
  const made = element("span", { class: x === null ? "down" : "along" }, text);
  made.style.setProperty(x === null ? "--y" : "--x", x ?? y);
  return made;
}

class Square {
  #spot = new Spot();

  constructor(place, x, y) {
    this.place = place;
    this.glow = new Glow(element("span", { class: "glow", hidden: "" }));
    this.name = element("span", { class: "place", "aria-hidden": "true" }, place.name);
    this.ghost = element("span", { class: "ghost", hidden: "" });
    this.sees = element("span", { class: "sees", hidden: "" });
    this.sign = element("span", { class: "sign", hidden: "" });
    this.button = element("button", { type: "button", role: "gridcell", class: "cell", "data-cell": place.cell, tabindex: "-1" });
    this.button.style.setProperty("--x", x);
    this.button.style.setProperty("--y", y);
    this.button.append(this.name, this.glow.element, this.ghost, this.sees, this.sign);
  }

  show(scene, show, candidate, lifted) {
    const seen = scene.cells[this.place.cell] ?? {};
    const lies = liesAt(scene, this.place.cell);
    const inHand = lies ? null : lifted;
    this.#lay(scene, lies === "unknown" ? seen.should : lies ?? inHand);
    this.button.toggleAttribute("data-unseen", lies === "unknown");
    this.button.toggleAttribute("data-in-hand", Boolean(inHand));
    this.glow.show(seen.light, scene.legend, candidate, show.still);
    this.#ghost(scene, seen, lies, show);
    this.#badge(seen, show);
    this.#sign(seen.light);
    this.button.toggleAttribute("data-aside", Boolean(seen.aside));
    this.button.toggleAttribute("data-marked", Boolean(seen.marked));
    this.button.toggleAttribute("data-must", Boolean(scene.turn?.must.includes(this.place.cell)));
    this.button.setAttribute("aria-label", words.cell(scene, this.place, lies, show, inHand));
  }

  #lay(scene, piece) {
    this.button.toggleAttribute("data-holds", Boolean(piece));
    if (this.#spot.show(scene, piece)) this.glow.element.after(this.#spot.element);
  }

  // What should lie here instead: always where something is to be put, elsewhere when one asks for it.
  #ghost(scene, seen, lies, show) {
    const owed = seen.light?.meaning === "owed" && seen.light.do === "put";
    const wanted = owed ? seen.light.to : seen.should;
    this.ghost.hidden = !(owed || (show.difference && words.differs(seen, lies)));
    this.ghost.dataset.side = wanted ? faces(scene).sideOf[wanted] ?? "some" : "none";
    this.ghost.dataset.colour = scene.game.looks[wanted]?.colour ?? "";
    this.ghost.dataset.form = scene.game.looks[wanted]?.form ?? "";
    this.ghost.dataset.over = lies ? "piece" : "felt";
    this.ghost.dataset.letter = wanted ? scene.game.letters[wanted] ?? "" : "";
  }

  #badge(seen, show) {
    this.sees.hidden = !show.sees;
    this.sees.dataset.sees = seen.sees ?? "unknown";
    this.sees.textContent = { heads: "H", tails: "T", piece: "●", empty: "○" }[seen.sees] ?? "?";
  }

  #sign(light) {
    const name = light ? words.sign(light) : "";
    const key = JSON.stringify([name, light?.to]);
    this.sign.hidden = !light;
    if (this.sign.dataset.key === key) return;
    this.sign.dataset.key = key;
    this.sign.dataset.sign = name;
    this.sign.replaceChildren(...(light && !words.PLAIN_SIGNS.includes(name) ? [icon(name)] : []));
    this.sign.style.setProperty("--light", this.glow.element.style.getPropertyValue("--light"));
  }
}
