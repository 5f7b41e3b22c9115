// Where the page meets: a scene comes in, everything is drawn from it; what a viewer does goes out.

import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { keep, settings } from "./kept.js";
import { Live } from "./live.js";
import { NewGame } from "./newgame.js";
import * as panel from "./panel.js";
import { byId } from "./panel.js";
import * as words from "./words.js";

const LINGER = 6000;  // milliseconds a notice stays in the line

let scene = null;
let may = false;
let linked = false;
let notice = null;  // what is said for a while instead of what stands: its kind and sentence
let forgets = 0;
let goneOn = false;
let drawing = 0;

const board = new Board(byId("board"), byId("rim"));

const hands = new Hands({
  board,
  hand: byId("in-hand"),
  trays: [byId("near"), byId("far")],
  scene: () => scene,
  may: () => canTouch(),
  act,
  say: refuse,
  changed: draw,
});

const newGame = new NewGame((asked) => send({ new: asked }));

const live = new Live({
  heard(message) {
    if (message.refused) refuse(message.refused);
    if (message.scene) take(message);
  },
  up() {
    linked = true;
    document.body.dataset.link = "up";
  },
  down() {
    linked = false;
    document.body.dataset.link = scene ? "down" : "waiting";
    draw();
  },
});

function take(message) {
  if (scene && scene.version !== message.scene.version) return location.reload();
  const said = scene?.notice?.at;
  const first = !scene;
  ({ scene } = message);
  if (!first && scene.notice && scene.notice.at !== said) tell(scene.notice.kind, scene.notice.say);
  may = message.may === "command";
  if (first && may) hands.regain();
  if (!scene.resumed) goneOn = false;
  return draw();
}

function canTouch() {
  return Boolean(linked && may && scene?.simulated && scene.hands);
}

function draw() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    show();
  });
}

function show() {
  panel.line(...spoken(), scene);
  if (!scene) return;
  const touch = may && scene.simulated;
  const resumed = may && scene.resumed && !goneOn;
  document.body.dataset.hands = scene.game.hands;
  document.body.toggleAttribute("data-touch", touch);
  document.body.toggleAttribute("data-unlinked", scene.link === "lost");
  byId("board").dataset.held = hands.held ?? "";
  panel.heading(scene);
  panel.letters(scene);
  board.show(scene, { ...settings, still: settings.still || stillness.matches }, hands.inHand);
  panel.trays(scene, { may: touch, held: hands.held, carried: hands.carried });
  panel.shown(scene);
  panel.answers(scene, { may, resumed });
  panel.usual(scene, may);
  panel.notices(scene, { may, resumed });
  panel.record(scene);
  panel.legend(scene);
  panel.switches(scene, may, board.at);
  panel.keysTable(scene);
}

function spoken() {
  if (!linked) return ["lost", scene ? words.LOST : words.LOOKING];
  return notice ?? [scene.kind, scene.say];
}

function refuse(sentence) {
  tell("refused", sentence);
}

function tell(kind, sentence) {
  clearTimeout(forgets);
  notice = [kind, sentence];
  forgets = setTimeout(forget, LINGER);
  draw();
}

function forget() {
  clearTimeout(forgets);
  notice = null;
  draw();
}

function send(message) {
  if (notice) forget();
  if (!live.send(message)) refuse(words.UNSENT);
}

function act(message, name) {
  send(message);
  const names = new Map(scene.game.cells.map(({ cell, name }) => [cell, name]));
  byId("told").textContent = words.did(message, names, name);
}

function say(word) {
  send({ say: word });
}

function openNew() {
  if (scene && may) newGame.open(scene);
}

function openKeys() {
  byId("keys").showModal();
}

document.addEventListener("click", ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed || pressed.disabled) return;
  if (pressed.dataset.say) say(pressed.dataset.say);
  if (pressed.dataset.open === "new" || pressed.id === "open-new") openNew();
  if (pressed.dataset.goOn !== undefined) goOn();
  if (pressed.dataset.lay !== undefined) act({ hand: "lay" }, "");
  if (pressed.dataset.close !== undefined) pressed.closest("dialog").close();
  if (pressed.dataset.cellTrouble) cellTrouble(pressed);
  if (pressed.id === "open-keys") openKeys();
  if (pressed.id === "knock") send({ trouble: "knock" });
});

function goOn() {
  goneOn = true;
  draw();
}

function cellTrouble({ dataset, attributes }) {
  const on = attributes["aria-pressed"].value !== "true";
  send({ trouble: dataset.cellTrouble, cell: byId("trouble-cell").value, on });
}

document.addEventListener("change", ({ target }) => {
  const { show: shown, trouble } = target.dataset;
  if (trouble) send({ trouble, on: target.checked });
  if (shown) keep(shown, target.checked);
  const chosen = ["theme", "lines"].includes(target.id);
  if (chosen) keep(target.id, target.value);
  if (!shown && !chosen) return;
  panel.shown(scene);
  draw();
});

byId("say-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const word = byId("say-word").value.trim();
  if (word) say(word);
  byId("say-word").value = "";
});

const LETTERS = { p: () => say("pass"), u: () => say("undo"), o: () => say("ok") };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.querySelector("dialog[open]") || event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) return;
  if (event.key === "Escape") hands.empty();
  if (event.key === "?") openKeys();
  if (scene && may && settings.keys) LETTERS[event.key.toLowerCase()]?.();
});

for (const part of document.querySelectorAll("details")) {
  part.open = settings.open.includes(part.id);
  part.addEventListener("toggle", () => keep("open", [...document.querySelectorAll("details[open]")].map(({ id }) => id)));
}

const stillness = matchMedia("(prefers-reduced-motion: reduce)");
stillness.addEventListener("change", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => panel.shown(scene));
byId("trouble-cell").addEventListener("change", draw);
board.grid.addEventListener("focusin", () => { if (document.activeElement?.dataset.cell) byId("trouble-cell").value = board.at; });

panel.shown(scene);
