// Everything beside the board: trays with score and pieces, the judge's line, answers, the record, switches.

import { disc, element, faces, icon } from "./board.js";
import { colour } from "./lights.js";
import { settings } from "./kept.js";
import * as words from "./words.js";

const LINE_ICONS = { turn: "hand", owed: "hand", wrong: "wrong", ask: "choice", over: "over", lost: "lost", offer: "offer", refused: "refused" };

export const byId = (id) => document.getElementById(id);

// Fills a node anew only when something changed, so that focus and scrolling stay where they are.
function fill(node, key, make) {
  const text = JSON.stringify(key);
  if (node.dataset.key === text) return false;
  node.dataset.key = text;
  node.replaceChildren(...make());
  return true;
}

function button(text, attributes) {
  return element("button", { type: "button", ...attributes }, text);
}

// ---- the line over the board ----

export function line(kind, sentence, scene) {
  const { sideOf, letters } = scene ? faces(scene) : { sideOf: {}, letters: {} };
  const mover = scene?.game.players.find(({ id }) => id === scene.turn?.player);
  const side = kind === "turn" ? sideOf[mover?.piece] : undefined;
  byId("line").dataset.kind = kind;
  if (side) showSide(side, letters);
  else delete byId("line-sign").dataset.side;
  byId("line-icon").setAttribute("href", `#${LINE_ICONS[kind] ?? "hand"}`);
  if (byId("say").textContent !== sentence) byId("say").textContent = sentence;
}

function showSide(side, letters) {
  const sign = byId("line-sign");
  sign.dataset.side = side;
  sign.querySelector(".disc")?.remove();
  sign.append(disc(side, letters));
}

// ---- trays ----

export function trays(scene, { may, held }) {
  const { pieceOf } = faces(scene);
  const seats = seated(scene);
  for (const [tray, side] of [[byId("near"), "heads"], [byId("far"), "tails"]]) {
    const piece = pieceOf[side];
    const players = seats[side];
    tray.hidden = !piece;
    if (piece) fill(tray, [scene.game, players, may, scene.score, scene.supply], () => trayParts(scene, side, piece, players, may));
    const picked = tray.querySelector("[data-tray]");
    picked?.setAttribute("aria-pressed", String(held === side));
    tray.toggleAttribute("data-held", held === side);
    tray.toggleAttribute("data-turn", players.some(({ id }) => id === scene.turn?.player));
    tray.toggleAttribute("data-won", players.some(({ id }) => [scene.over?.winner].flat().includes(id)));
    tray.dataset.side = side;
    tray.setAttribute("aria-label", players.map(({ title }) => title).join(", ") || words.capital(words.piece(piece ?? side)));
  }
}

// Who sits behind which side: by the piece a player has, else in turn.
function seated(scene) {
  const { sideOf } = faces(scene);
  const seats = { heads: [], tails: [] };
  scene.game.players.forEach((player, n) => seats[sideOf[player.piece] ?? (n % 2 ? "tails" : "heads")].push(player));
  return seats;
}

function trayParts(scene, side, piece, players, may) {
  const left = scene.supply.shared === undefined ? scene.supply[players[0]?.id] : share(scene.supply.shared, side);
  const { letters } = faces(scene);
  const shown = disc(side, letters);
  const name = words.piece(piece);
  const label = left === undefined ? `Take ${name}` : `Take ${name}, ${left} left`;
  const pick = may ? element("button", { type: "button", class: "pick", "data-tray": side, "aria-label": label }, shown)
    : element("span", { class: "pick", "aria-hidden": "true" }, shown);
  return [pick, ...players.map((player) => seat(scene, player)), ...(left === undefined ? [] : [groove(scene, left)])];
}

function share(shared, side) {
  return side === "heads" ? Math.ceil(shared / 2) : Math.floor(shared / 2);
}

function seat(scene, { id, title }) {
  const score = scene.score?.[id];
  return element("p", { class: "seat", "data-player": id },
    element("span", { class: "name" }, title),
    element("span", { class: "score" }, score === undefined ? "" : String(score)),
    element("span", { class: "lamp" }, element("span", { class: "lamp-turn" }, "to move"), element("span", { class: "lamp-won" }, "won")));
}

function groove(scene, left) {
  const stack = element("span", { class: "stack" });
  stack.style.setProperty("--n", left);
  stack.style.setProperty("--most", Math.max(left, Math.ceil(scene.game.cells.length / 2)));
  return element("span", { class: "groove", role: "img", "aria-label": `${words.sides(left, scene.game.noun)} left` }, stack);
}

// ---- answers and words ----

export function answers(scene, { may, resumed }) {
  const row = byId("answers");
  const made = may ? answersOf(scene, resumed) : [];
  fill(row, made, () => made.map(([text, attributes]) => button(text, attributes)));
  row.classList.toggle("open", made.length > 0);
  byId("usual").classList.toggle("covered", made.length > 0);
}

function answersOf(scene, resumed) {
  const say = (text, word) => [text, { "data-say": word, class: "main" }];
  if (scene.ask) return scene.ask.choices.map((label) => say(words.choice(scene, label), label));
  if (scene.offer) return [say(words.AGREE, "ok")];
  if (scene.over) return [[words.AGAIN, { "data-open": "new", class: "main" }], ...(scene.can.includes("undo") ? [["Undo", { "data-say": "undo" }]] : [])];
  if (resumed) return [[words.GO_ON, { "data-go-on": "", class: "main" }], [words.ABANDON, { "data-say": "new" }]];
  return [];
}

export function usual(scene, may) {
  for (const one of document.querySelectorAll(".usual [data-say]")) {
    one.disabled = !may || !scene.can.includes(one.dataset.say);
    one.hidden = !may;
  }
  byId("open-new").hidden = !may;
}

// ---- notices, record, legend ----

export function notices(scene, { may, resumed }) {
  const said = [may ? "" : words.WATCHING, resumed ? words.RESUMED : "", scene.journal ?? ""].filter(Boolean);
  fill(byId("notices"), said, () => said.map((text) => element("p", {}, text)));
}

// Letters are shown on request, and wherever the pieces themselves are called by letters.
export function letters(scene) {
  const named = Object.keys(scene.game.faces).some((piece) => piece.length === 1);
  document.body.classList.toggle("lettered", settings.letters || named);
}

export function heading(scene) {
  const { title, policy } = scene.game;
  document.title = `${title} · boardctl`;
  byId("title").textContent = title;
  byId("kind").textContent = [words.POLICIES[policy]?.[0] ?? policy, words.sides(scene.game.cells.length, "cell"),
    scene.simulated ? "simulated board" : "the board on the table"].join(" · ");
  byId("version").textContent = `boardctl ${scene.version}`;
}

export function record(scene) {
  const list = byId("record");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 24;
  if (fill(list, [scene.record, scene.game.name], () => plies(scene)) && atEnd) {
    list.scrollTop = list.scrollHeight;
  }
}

function plies(scene) {
  if (!scene.record.length) return [element("li", { class: "nothing" }, words.NO_MOVES)];
  return scene.record.map((entry) => ply(scene, entry));
}

function ply(scene, { ply: number, player, label, undone, practice }) {
  const { sideOf } = faces(scene);
  const piece = scene.game.players.find(({ id }) => id === player)?.piece;
  const item = element("li", { "data-ply": number },
    element("span", { class: "ply" }, `${number}`),
    element("span", { class: "pip", "data-side": sideOf[piece] ?? "some" }),
    element("span", { class: "unseen" }, `${words.player(scene, player)} `),
    element(undone ? "s" : "span", { class: "move" }, words.move(scene, label)));
  if (undone) item.append(element("span", { class: "unseen" }, " taken back"));
  if (practice) item.append(element("span", { class: "practice" }, "practice"));
  return item;
}

export function legend(scene) {
  fill(byId("legend"), [scene.legend, scene.game.letters], () => scene.legend.map((look) => {
    const swatch = element("span", { class: "swatch" }, ["hint", "last"].includes(look.sign) ? "" : icon(look.sign));
    swatch.style.setProperty("--light", colour(look, null));
    return element("li", {}, swatch, look.says);
  }));
}

// ---- switches ----

export function switches(scene, may, at) {
  const mine = scene.simulated && may;
  byId("trouble").hidden = !mine;
  byId("speak").hidden = !may;
  if (mine) troubles(scene, at);
  fill(byId("say-words"), scene.turn?.moves ?? [], () => (scene.turn?.moves ?? []).map((move) => element("option", { value: move })));
}

function troubles(scene, at) {
  for (const box of document.querySelectorAll("[data-trouble]")) box.checked = Boolean(scene.troubles[box.dataset.trouble]);
  const select = byId("trouble-cell");
  if (fill(select, scene.game.cells.map(({ cell }) => cell), () => scene.game.cells.map(({ cell, name }) => element("option", { value: cell }, name)))) {
    select.value = at;
  }
  for (const one of document.querySelectorAll("[data-cell-trouble]")) {
    one.setAttribute("aria-pressed", String(scene.troubles[one.dataset.cellTrouble].includes(select.value)));
  }
}

export function shown() {
  for (const box of document.querySelectorAll("[data-show]")) box.checked = settings[box.dataset.show];
  byId("theme").value = settings.theme;
  const dark = settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function keysTable(simulated) {
  byId("board-keys").textContent = words.boardKeys(simulated);
  fill(byId("keys-rows"), "keys", () => words.KEYS.map(([what, keys, gesture]) => element("tr", {},
    element("th", { scope: "row" }, words.capital(what)),
    element("td", {}, ...keys.flatMap((key, n) => [...(n ? [" "] : []), element("kbd", {}, key)])),
    element("td", {}, gesture))));
}
