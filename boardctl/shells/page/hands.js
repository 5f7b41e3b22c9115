// The hands of a simulated board: mouse, finger and keys become what hands do there. What a tap means goes by the
// game: pieces are put and turned, moved from cell to cell, or turned and exchanged. A piece that is lifted is really
// off the board: its sensor sees that, and the judge shows where it may go.
// A tap is the browser's own click (so a screen reader's click is one too); only dragging and long presses are
// followed here.

import { faces, pieceOf } from "./pieces.js";
import * as words from "./words.js";

const FAR = 8;  // pixels from which a press is a drag
const LONG = 500;  // milliseconds from which a press is a long one
const TWICE = 350;  // a second click so soon after putting is a double click, and turns nothing

export class Hands {
  #press = null;
  #swallow = false;
  #put = { cell: null, at: 0 };
  held = null;  // the side picked from a tray
  carried = null;  // the piece in hand: where it came from, or which one beside the board it is

  constructor({ board, hand, trays, scene, may, act, say, changed }) {
    Object.assign(this, { board, hand, trays, scene, may, act, say, changed });
    board.grid.addEventListener("pointerdown", (event) => this.#down(event, { cell: event.target.closest("[data-cell]")?.dataset.cell }));
    board.grid.addEventListener("click", (event) => this.#click(event.target.closest("[data-cell]")?.dataset.cell));
    board.grid.addEventListener("keydown", (event) => this.#key(event));
    board.grid.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    board.grid.addEventListener("contextmenu", (event) => this.may() && event.preventDefault());
    for (const tray of trays) {
      tray.addEventListener("pointerdown", (event) => this.#down(event, picked(event)));
      tray.addEventListener("click", (event) => this.#pick(picked(event)));
    }
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#up(event));
    addEventListener("pointercancel", (event) => this.#press?.id === event.pointerId && this.#drop());
    addEventListener("blur", () => this.#drop());
  }

  // The piece in hand, as the board shows it; forgotten once somebody else has put it down.
  get inHand() {
    if (!this.carried) return null;
    const { from } = this.carried;
    const { hands, off } = this.scene();
    if (from && !hands[from]) this.carried.tag ??= off.findLast((one) => one.from === from)?.tag;
    if (this.carried.tag && !off.some(({ tag }) => tag === this.carried.tag)) this.carried = null;
    return this.carried;
  }

  // After a reload: the one piece that is away from where it should lie is still in the hand.
  regain() {
    const { hands, off, cells, game } = this.scene();
    if (game.hands === "put" || !hands) return;
    const away = off.filter(({ from }) => from && !hands[from] && cells[from].should);
    if (away.length === 1) this.carried = { ...away[0], at: performance.now() };
  }

  // Puts back what is in the hand: a side to its tray, a piece where it came from.
  empty() {
    if (this.held) this.#hold(null);
    if (!this.carried) return;
    if (this.carried.from) this.#set(this.carried.from);
    else this.#carry(null);
  }

  // The side a hand would put on an empty cell: what is asked for or may be played there, else the mover's.
  sideFor(cell) {
    const scene = this.scene();
    const { sideOf } = faces(scene);
    const light = scene.cells[cell]?.light;
    const asked = light?.do === "put" ? light.to : null;
    const mover = scene.game.players.find(({ id }) => id === scene.mover) ?? scene.game.players[0];
    return sideOf[asked] ?? sideOf[mover.piece] ?? "heads";
  }

  get #handling() {
    return this.scene().game.hands;
  }

  #lies(cell) {
    return Boolean(this.scene().hands?.[cell]);
  }

  #do(message, name = "") {
    this.act(message, words.piece(name));
  }

  #carry(carried) {
    this.carried = carried && { ...carried, at: performance.now() };
    this.changed();
  }

  #putOn(cell, side) {
    this.#put = { cell, at: performance.now() };
    const { pieceOf: shows } = faces(this.scene());
    this.#do({ hand: "put", cell, side }, shows[side] ?? side);
    if (this.held) this.#hold(null);
  }

  // ---- a tap ----

  #click(cell) {
    if (this.#swallow || !cell || !this.may()) {
      this.#swallow = false;
      return;
    }
    this.#tap(cell);
  }

  #tap(cell, shift = false) {
    if (this.#handling === "put") this.#tapToPut(cell, shift);
    else if (this.inHand) this.#putDown(cell);
    else if (this.#lies(cell)) this.#take(cell);
    else this.#fetch(cell);
  }

  #tapToPut(cell, shift) {
    if (!this.#lies(cell)) {
      const side = this.held ?? this.sideFor(cell);
      this.#putOn(cell, shift ? { heads: "tails", tails: "heads" }[side] : side);
    } else if (this.#put.cell !== cell || performance.now() - this.#put.at > TWICE) {
      this.#do({ hand: "turn", cell });
    }
  }

  // A piece is tapped with empty hands: it is turned where that is what it is for, put aside where it should not be,
  // else lifted.
  #take(cell) {
    if (this.#handling === "exchange" && this.#turnsHere(cell)) this.#do({ hand: "turn", cell });
    else if (this.#owed(cell) === "take" && this.scene().why !== "move") this.#do({ hand: "lift", cell });
    else this.#lift(cell);
  }

  // A cell is tapped that is owed a piece: one from beside the board.
  #fetch(cell) {
    const wanted = this.#owed(cell) === "put" ? this.scene().cells[cell].light.to : null;
    const fitting = this.scene().off.filter(({ piece }) => piece === wanted).at(-1);
    if (fitting) this.#bring(cell, fitting.tag, fitting.piece);
    else if (wanted) this.say(words.EMPTY_HANDED);
  }

  #owed(cell) {
    const light = this.scene().cells[cell]?.light;
    return light?.meaning === "owed" ? light.do : null;
  }

  #turnsHere(cell) {
    const scene = this.scene();
    return ["turn", "confirm"].includes(this.#owed(cell)) || faces(scene).sideOf[scene.hands[cell]] === "tails";
  }

  #lift(cell) {
    const piece = this.scene().hands[cell];
    this.#do({ hand: "lift", cell });
    this.#carry({ from: cell, piece });
  }

  // The piece in hand comes down: back, on an empty cell, or where another lies.
  #putDown(cell) {
    const { from, tag, piece } = this.carried;
    if (!from) this.#bring(cell, tag, piece);
    else if (!this.#lies(cell) || cell === from) this.#set(cell);
    else this.#meet(from, cell);
  }

  #set(cell) {
    const { from } = this.carried;
    this.#carry(null);
    this.#do({ hand: "set", start: from, end: cell });
  }

  #meet(from, cell) {
    this.#carry(null);
    if (this.#handling === "move") this.#do({ hand: "take", start: from, end: cell });
    else this.#do({ hand: "exchange", one: from, other: cell });
  }

  #bring(cell, tag, piece) {
    if (this.#lies(cell)) return this.say(words.TAKEN);
    this.#carry(null);
    return this.#do({ hand: "bring", cell, tag }, piece);
  }

  // ---- trays ----

  #pick({ side, tag, piece }) {
    if (this.#swallow || !this.may()) {
      this.#swallow = false;
      return;
    }
    if (side) this.#hold(this.held === side ? null : side);
    else if (this.inHand?.from) this.#carry(null);
    else if (tag) this.#carry(this.carried?.tag === tag ? null : { tag, piece });
  }

  #hold(side) {
    this.held = side;
    this.changed();
  }

  // ---- a press that may become a drag ----

  #down(event, { cell, side, tag, piece }) {
    this.#swallow = false;
    if (!this.may() || this.#press || !(cell || side || tag)) return;
    if (event.button === 2 && cell) {
      if (this.#lies(cell)) this.#do({ hand: "lift", cell });
      return;
    }
    if (event.button !== 0) return;
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, cell, side, tag, piece, path: cell ? [cell] : [], moved: false };
    if (cell && this.#lies(cell) && !this.carried) this.#press.timer = setTimeout(() => this.#long(cell), LONG);
  }

  #long(cell) {
    if (this.#handling === "move") return;
    this.#swallow = true;
    this.#drop();
    this.#do({ hand: this.#handling === "put" ? "lift" : "turn", cell });
    navigator.vibrate?.(15);
  }

  #move(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    if (!press.moved) this.#begin(press);
    if (!press.drags) return;
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
    const scene = this.scene();
    const shown = press.side ? faces(scene).pieceOf[press.side] : press.piece ?? (press.cell && scene.hands[press.cell]);
    press.drags = shown;
    if (!shown) return;
    this.hand.replaceChildren(pieceOf(scene, shown));
    this.hand.hidden = false;
    if (press.cell && this.#handling !== "put" && !this.carried) this.#lift(press.cell);
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
    if (!press.moved || !press.drags) return;
    this.#swallow = true;
    setTimeout(() => { this.#swallow = false; });
    if (press.side) this.#drawn(press.side, cell);
    else if (press.tag) this.#fetched(press, cell);
    else if (this.#handling === "put") this.#slidden(press, cell, off);
    else if (this.carried) this.#carriedTo(cell, off);
  }

  #drawn(side, cell) {
    if (cell && this.#lies(cell)) this.say(words.TAKEN);
    else if (cell) this.#putOn(cell, side);
  }

  #fetched({ tag, piece }, cell) {
    if (cell) this.#bring(cell, tag, piece);
  }

  #carriedTo(cell, off) {
    if (off) this.#carry(null);
    else this.#putDown(cell ?? this.carried.from);
  }

  #slidden({ cell: from, path }, to, off) {
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

  // ---- keys ----

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
    if (event.shiftKey && this.#handling === "put" && this.may() && this.#lies(cell)) {
      if (!event.repeat) this.#slide([cell, next]);
      if (this.#lies(next)) return true;
    }
    this.board.go(next);
    return true;
  }

  #work(event, cell) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!["Enter", " ", "Delete", "Backspace", "n", "t"].includes(key)) return false;
    if (!this.may() || event.repeat) return true;
    if (key === "Enter" || key === " ") this.#enter(cell, event.shiftKey);
    else if (this.#lies(cell)) this.#do({ hand: { n: "nudge", t: "turn" }[key] ?? "lift", cell });
    else if (!["n", "t"].includes(key) && this.inHand) this.#carry(null);
    return true;
  }

  // A key is meant each time; only clicks come in pairs by accident.
  #enter(cell, shift) {
    this.#put.cell = null;
    this.#tap(cell, shift);
  }
}

// What was touched in a tray: a side of the discs there, or a piece that lies beside the board.
function picked(event) {
  const { tray: side, tag, piece } = event.target.closest("[data-tray], [data-tag]")?.dataset ?? {};
  return { side, tag, piece };
}
