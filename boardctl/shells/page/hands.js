// The hands of a simulated board: mouse, finger and keys become put, lift, turn, slide and nudge.
// A tap is the browser's own click (so a screen reader's click is one too); only dragging and long presses are
// followed here.

import { disc, faces } from "./board.js";
import * as words from "./words.js";

const FAR = 8;  // pixels from which a press is a drag
const LONG = 500;  // milliseconds from which a press lifts
const TWICE = 350;  // a second click so soon after putting is a double click, and turns nothing

export class Hands {
  #press = null;
  #swallow = false;
  #put = { cell: null, at: 0 };
  held = null;

  constructor({ board, hand, trays, scene, may, act, say, changed }) {
    Object.assign(this, { board, hand, trays, scene, may, act, say, changed });
    board.grid.addEventListener("pointerdown", (event) => this.#down(event, event.target.closest("[data-cell]")?.dataset.cell));
    board.grid.addEventListener("click", (event) => this.#click(event.target.closest("[data-cell]")?.dataset.cell));
    board.grid.addEventListener("keydown", (event) => this.#key(event));
    board.grid.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    board.grid.addEventListener("contextmenu", (event) => this.may() && event.preventDefault());
    for (const tray of trays) {
      tray.addEventListener("pointerdown", (event) => this.#down(event, null, event.target.closest("[data-tray]")?.dataset.tray));
      tray.addEventListener("click", (event) => this.#pick(event.target.closest("[data-tray]")?.dataset.tray));
    }
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", (event) => this.#press?.id === event.pointerId && this.#drop());
    addEventListener("blur", () => this.#drop());
  }

  // Puts the piece in hand back to its tray.
  empty() {
    if (this.held) this.#hold(null);
  }

  // The side a hand would put on an empty cell: what is asked for there, else the mover's.
  sideFor(cell) {
    const scene = this.scene();
    const { sideOf } = faces(scene);
    const light = scene.cells[cell]?.light;
    const asked = light?.do === "put" ? light.to : null;
    const mover = scene.game.players.find(({ id }) => id === scene.turn?.player) ?? scene.game.players[0];
    return sideOf[asked] ?? sideOf[mover.piece] ?? "heads";
  }

  #lies(cell) {
    return Boolean(this.scene().hands?.[cell]);
  }

  #do(message) {
    const { pieceOf } = faces(this.scene());
    const lies = message.hand === "put" ? pieceOf[message.side] ?? message.side : "";
    this.act(message, words.piece(lies));
  }

  #putOn(cell, side) {
    this.#put = { cell, at: performance.now() };
    this.#do({ hand: "put", cell, side });
    this.empty();
  }

  #click(cell) {
    if (this.#swallow || !cell || !this.may()) {
      this.#swallow = false;
      return;
    }
    if (!this.#lies(cell)) {
      this.#putOn(cell, this.held ?? this.sideFor(cell));
    } else if (this.#put.cell !== cell || performance.now() - this.#put.at > TWICE) {
      this.#do({ hand: "turn", cell });
    }
  }

  #pick(side) {
    if (this.#swallow || !side || !this.may()) {
      this.#swallow = false;
      return;
    }
    this.#hold(this.held === side ? null : side);
  }

  #hold(side) {
    this.held = side;
    this.changed();
  }

  #down(event, cell, side) {
    this.#swallow = false;
    if (!this.may() || this.#press || (!cell && !side)) return;
    if (event.button === 2 && cell) {
      if (this.#lies(cell)) this.#do({ hand: "lift", cell });
      return;
    }
    if (event.button !== 0) return;
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, cell, side, path: cell ? [cell] : [], moved: false };
    if (cell && this.#lies(cell)) this.#press.timer = setTimeout(() => this.#long(cell), LONG);
  }

  #long(cell) {
    this.#swallow = true;
    this.#drop();
    this.#do({ hand: "lift", cell });
    navigator.vibrate?.(15);
  }

  #move(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    if (!press.moved) this.#begin(press);
    if (!press.side && !press.carried) return;
    this.hand.style.setProperty("--left", `${event.clientX}px`);
    this.hand.style.setProperty("--top", `${event.clientY}px`);
    for (const cell of this.#crossed(press, event)) if (press.path.at(-1) !== cell) press.path.push(cell);
    press.last = { x: event.clientX, y: event.clientY };
    this.#aim(this.board.nearest(event.clientX, event.clientY));
  }

  #begin(press) {
    clearTimeout(press.timer);
    press.moved = true;
    press.last = { x: press.x, y: press.y };
    press.carried = press.cell && this.#lies(press.cell) ? this.scene().hands[press.cell] : null;
    const side = press.side ?? press.carried;
    if (!side) return;
    this.hand.replaceChildren(disc(side, faces(this.scene()).letters));
    this.hand.hidden = false;
    this.board.grid.querySelector(`[data-cell="${press.cell}"]`)?.setAttribute("data-lifted", "");
  }

  // Every cell between two places of the pointer, so that a quick hand skips none.
  #crossed({ last }, { clientX, clientY }) {
    const steps = Math.ceil(Math.hypot(clientX - last.x, clientY - last.y) / 6) || 1;
    const found = [];
    for (let n = 1; n <= steps; n += 1) {
      const cell = this.board.nearest(last.x + (clientX - last.x) * n / steps, last.y + (clientY - last.y) * n / steps);
      if (cell) found.push(cell);
    }
    return found;
  }

  #aim(cell) {
    for (const aimed of this.board.grid.querySelectorAll("[data-aim]")) aimed.removeAttribute("data-aim");
    if (cell) this.board.grid.querySelector(`[data-cell="${cell}"]`).setAttribute("data-aim", "");
  }

  #up(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const cell = this.board.nearest(event.clientX, event.clientY);
    const off = !this.board.onBoard(event.clientX, event.clientY);
    this.#drop();
    if (!press.moved) return;
    this.#swallow = true;
    setTimeout(() => { this.#swallow = false; });
    if (press.side && cell) this.#drawn(press.side, cell);
    else if (press.carried) this.#carried(press, cell, off);
  }

  #drawn(side, cell) {
    if (this.#lies(cell)) this.say(words.TAKEN);
    else this.#putOn(cell, side);
  }

  #carried({ cell: from, path }, to, off) {
    if (off) this.#do({ hand: "lift", cell: from });
    else if (to === from && path.length === 1) this.#do({ hand: "nudge", cell: from });
    else if (to && to !== from) this.#slide([...path.slice(0, path.lastIndexOf(to)), to]);
  }

  // The way as it went, over empty cells: pieces in between are lifted over.
  #slide(path) {
    const [from, to] = [path[0], path.at(-1)];
    if (this.#lies(to)) return this.say(words.TAKEN);
    const between = path.slice(1, -1).filter((cell) => cell !== from && cell !== to && !this.#lies(cell));
    return this.#do({ hand: "slide", path: [from, ...between.slice(0, 90), to] });
  }

  #drop() {
    clearTimeout(this.#press?.timer);
    this.#press = null;
    this.hand.hidden = true;
    this.#aim(null);
    for (const lifted of this.board.grid.querySelectorAll("[data-lifted]")) lifted.removeAttribute("data-lifted");
  }

  #key(event) {
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    if (!cell || event.ctrlKey && !["Home", "End"].includes(event.key) || event.altKey || event.metaKey) return;
    if (this.#walk(event, cell) || this.#work(event, cell)) event.preventDefault();
  }

  #walk(event, cell) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) return this.#step(event, cell, this.board.beside(cell, ...way));
    if (event.key !== "Home" && event.key !== "End") return false;
    const row = event.ctrlKey ? this.board.places.map((place) => place.cell) : this.board.rowOf(cell);
    this.board.go(event.key === "Home" ? row[0] : row.at(-1));
    return true;
  }

  #step(event, cell, next) {
    if (!next) return true;
    if (event.shiftKey && this.may() && this.#lies(cell)) {
      if (!event.repeat) this.#slide([cell, next]);
      if (this.#lies(next)) return true;
    }
    this.board.go(next);
    return true;
  }

  #work(event, cell) {
    if (!["Enter", " ", "Delete", "Backspace", "n", "N"].includes(event.key)) return false;
    if (!this.may() || event.repeat) return true;
    const lies = this.#lies(cell);
    if (event.key === "Enter" || event.key === " ") this.#enter(cell, lies, event.shiftKey);
    else if (lies) this.#do({ hand: event.key.toLowerCase() === "n" ? "nudge" : "lift", cell });
    return true;
  }

  #enter(cell, lies, shift) {
    if (lies) return this.#do({ hand: "turn", cell });
    const side = this.held ?? this.sideFor(cell);
    return this.#putOn(cell, shift ? { heads: "tails", tails: "heads" }[side] : side);
  }
}
