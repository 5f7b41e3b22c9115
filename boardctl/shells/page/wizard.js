// The wizard's page: a scene comes in and is drawn; what is said, or touched on a simulated board, goes out.

import { settings } from "./kept.js";
import { Live } from "./live.js";
import { element } from "./make.js";

const LABELS = {
  red: "Red", green: "Green", skip: "No answer", dark: "It stays dark", done: "That is all", back: "Back", stop: "Stop",
};

const byId = (id) => document.getElementById(id);
let scene = null;
let may = false;

if (settings.theme !== "auto") document.documentElement.dataset.theme = settings.theme;
else if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";

const live = new Live({
  heard(message) {
    if (message.refused) byId("said").textContent = message.refused;
    if (!message.scene) return;
    may = message.may === "command";
    ({ scene } = message);
    draw();
  },
  up() { document.body.dataset.link = "up"; },
  down() {
    document.body.dataset.link = scene ? "down" : "waiting";
    if (scene && !scene.over) byId("ask").textContent = "The wizard does not answer. Is it still running?";
  },
});

const say = (word) => live.send({ say: word });

function draw() {
  document.title = `${scene.name}, boardctl`;
  byId("title").textContent = scene.name;
  byId("ask").textContent = scene.ask;
  byId("said").textContent = scene.said;
  byId("progress").max = scene.of;
  byId("progress").value = scene.over && scene.written ? scene.of : scene.done;
  byId("watching").hidden = may;
  byId("findings-part").hidden = !scene.written;
  byId("findings").replaceChildren(...scene.findings.map((each) => element("li", {}, each)));
  byId("written").textContent = scene.written;
  drawBoard();
  drawWords();
}

function drawWords() {
  const said = scene.over || !may ? [] : [...scene.words, "back", "stop"];
  byId("words").replaceChildren(...said.map((word) => {
    const button = element("button", { type: "button", ...(word === "stop" && { class: "last quiet" }) }, LABELS[word] ?? word);
    button.addEventListener("click", () => say(word));
    return button;
  }));
}

function drawBoard() {
  const board = byId("board");
  if (board.childElementCount !== scene.rows) lay(board);
  for (const cell of board.querySelectorAll(".cell")) drawCell(cell);
}

function drawCell(cell) {
  const name = cell.dataset.cell;
  const place = scene.known[name];
  const states = {
    known: place, glows: scene.glows.includes(name) && scene.colour, lying: scene.lying.includes(name),
    asked: scene.asked === name,
  };
  for (const [state, on] of Object.entries(states)) {
    if (on) cell.dataset[state] = on;
    else delete cell.dataset[state];
  }
  const lines = place ? place.split(", ") : [];
  cell.replaceChildren(...lines.map((line) => element("span", {}, line.replace(/.*\((.*)\)/, "$1"))));
  const told = [name, place && `on ${place}`, states.glows && `glows ${scene.colour}`, states.lying && "a piece lies there"];
  cell.setAttribute("aria-label", told.filter(Boolean).join(", "));
  cell.title = told.filter(Boolean).join(", ");
  cell.setAttribute("aria-disabled", String(!scene.touchable || !may));
}

function lay(board) {
  document.body.style.setProperty("--cols", scene.columns);
  document.body.style.setProperty("--rows", scene.rows);
  if (scene.touchable && may) document.body.dataset.touch = "";
  const letters = Array.from({ length: scene.columns }, (_, x) => String.fromCharCode(65 + x));
  const numbers = Array.from({ length: scene.rows }, (_, y) => y + 1);
  board.replaceChildren(...numbers.map((number) => element("div", { role: "row" }, ...letters.map((letter) => made(letter, number)))));
  byId("rim").replaceChildren(
    ...letters.map((letter, x) => placed(element("span", { class: "along" }, letter), x, 0)),
    ...numbers.map((number, y) => placed(element("span", { class: "down" }, String(number)), 0, y)),
  );
}

function made(letter, number) {
  const cell = element("button", { type: "button", role: "gridcell", class: "cell", "data-cell": `${letter}${number}` });
  cell.addEventListener("click", () => scene.touchable && may && say(cell.dataset.cell));
  return placed(cell, letter.charCodeAt(0) - 65, number - 1);
}

function placed(each, x, y) {
  each.style.setProperty("--x", x);
  each.style.setProperty("--y", y);
  return each;
}
