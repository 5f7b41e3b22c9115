// Pieces as they look: a form with one face or two, in the colours and figures that the game tells.

import { drawn, element, icon } from "./make.js";

const ONE_FACED = ["man"];

// Which side shows which piece.
export function faces(scene) {
  const sideOf = scene.game.faces;
  const pieceOf = {};
  for (const [piece, side] of Object.entries(sideOf)) pieceOf[side] ??= piece;
  return { sideOf, pieceOf };
}

export function turnsOver(scene, piece) {
  return piece in scene.game.looks && !ONE_FACED.includes(scene.game.looks[piece].form);
}

// What a person standing at the board would say lies there.
export function liesAt(scene, cell) {
  return scene.hands ? scene.hands[cell] ?? null : scene.cells[cell]?.lies ?? null;
}

// A piece on its own, for a tray, a hand or a line of text.
export function pieceOf(scene, piece) {
  return built(appearance(scene, piece));
}

// A place for a piece: what comes there, is turned there or leaves.
export class Spot {
  #shown = null;
  element = null;

  // Shows this piece (null: none). Answers whether there is a new element for it.
  show(scene, piece) {
    const now = piece ? appearance(scene, piece) : null;
    const stays = now && this.#shown && staysWith(this.#shown, now);
    if (stays) dress(this.element, now);
    else this.#replace(now);
    this.#shown = now;
    return !stays && Boolean(now);
  }

  #replace(now) {
    this.element?.remove();
    this.element = now && built(now);
  }
}

function appearance(scene, piece) {
  const { game } = scene;
  const { sideOf, pieceOf: shows } = faces(scene);
  const known = piece in game.looks;
  const own = game.looks[known ? piece : shows.heads ?? shows.tails];
  const letter = (name) => game.letters[name] ?? "";
  const onOther = (side) => (game.looks[shows[side]].figure ? null : { ...game.looks[shows[side]], letter: letter(shows[side]) });
  const face = (side) => (known && sideOf[piece] === side ? { ...own, letter: letter(piece) } : shows[side] ? onOther(side) : null);
  const sides = ONE_FACED.includes(own.form) && known ? [sideOf[piece]] : ["heads", "tails"];
  return { piece, form: own.form, side: known ? sideOf[piece] : "some", faces: sides.map((side) => [side, face(side)]) };
}

// Whether it may be the same piece, turned over or not.
function staysWith(before, now) {
  if (before.piece === now.piece) return before.form === now.form && JSON.stringify(before) === JSON.stringify(now);
  const sides = [before.side, now.side];
  return before.form === now.form && now.faces.length > 1 && sides[0] !== sides[1] && !sides.includes("some");
}

function built(look) {
  const made = element("span", { class: `piece ${look.form}` });
  for (const [side] of look.faces) made.append(element("span", { class: `face ${side}` }));
  dress(made, look);
  return made;
}

// A face of which nothing is known stays as it was: it is being turned away.
function dress(made, look) {
  made.dataset.side = look.side;
  for (const [side, face] of look.faces) if (face) paint(made.querySelector(`.${side}`), face);
}

function paint(made, { colour, figure, ornate, letter }) {
  made.dataset.colour = colour;
  made.dataset.letter = letter;
  made.toggleAttribute("data-ornate", ornate);
  if (made.dataset.figure === figure) return;
  made.dataset.figure = figure;
  made.replaceChildren(...(figure ? [picture(figure)] : []));
}

// The picture of a figure; one that nobody has drawn is written.
export function picture(figure) {
  if (document.getElementById(`figure-${figure}`)) return icon(`figure-${figure}`);
  const text = drawn("text", { x: 12, y: 15, "text-anchor": "middle", "font-size": 7, stroke: "none" }, figure);
  return drawn("svg", { "aria-hidden": "true", viewBox: "0 0 24 24" }, text);
}
