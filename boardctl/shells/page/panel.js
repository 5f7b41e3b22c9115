// Everything beside the board: trays with score and pieces, the judge's line, answers, the record, switches.

import { colour } from "./lights.js";
import { settings } from "./kept.js";
import { element, icon } from "./make.js";
import { faces, picture, pieceOf } from "./pieces.js";
import * as words from "./words.js";

const LINE_ICONS = { turn: "hand", owed: "hand", wrong: "wrong", ask: "choice", over: "over", lost: "lost", offer: "offer", refused: "refused", sensor: "hand" };

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
  const mover = scene?.game.players.find(({ id }) => id === scene.turn?.player);
  const piece = kind === "turn" ? mover?.piece : null;
  const sign = byId("line-sign");
  byId("line").dataset.kind = kind;
  sign.toggleAttribute("data-side", Boolean(piece));
  if (sign.dataset.piece !== (piece ?? "")) {
    sign.dataset.piece = piece ?? "";
    sign.querySelector(".piece")?.remove();
    if (piece) sign.append(pieceOf(scene, piece));
  }
  byId("line-icon").setAttribute("href", `#${LINE_ICONS[kind] ?? "hand"}`);
  if (byId("say").textContent !== sentence) byId("say").textContent = sentence;
}

// ---- trays ----

export function trays(scene, { may, held, carried }) {
  const { pieceOf: shows } = faces(scene);
  const seats = seated(scene);
  for (const [tray, side] of [[byId("near"), "heads"], [byId("far"), "tails"]]) {
    const players = seats[side];
    const beside = scene.game.hands === "put" ? [] : lyingBeside(scene, side, carried);
    tray.hidden = !shows[side];
    fill(tray, [scene.game, players, may, scene.score, scene.supply, beside], () => trayParts(scene, side, players, may, beside));
    tray.querySelector("[data-tray]")?.setAttribute("aria-pressed", String(held === side));
    for (const one of tray.querySelectorAll("[data-tag]")) one.setAttribute("aria-pressed", String(carried?.tag === one.dataset.tag));
    tray.toggleAttribute("data-held", held === side);
    for (const one of tray.querySelectorAll(".seat")) {
      one.toggleAttribute("data-turn", one.dataset.player === scene.turn?.player);
      one.toggleAttribute("data-won", [scene.over?.winner].flat().includes(one.dataset.player));
    }
    tray.dataset.side = side;
    tray.setAttribute("aria-label", players.map(({ title }) => title).join(", ") || words.capital(words.piece(shows[side] ?? side)));
  }
}

// Who sits behind which side: by the piece a player has, else in turn.
function seated(scene) {
  const { sideOf } = faces(scene);
  const seats = { heads: [], tails: [] };
  scene.game.players.forEach((player, n) => seats[sideOf[player.piece] ?? (n % 2 ? "tails" : "heads")].push(player));
  return seats;
}

// The pieces beside the board on this side, but for the one in the hand: of each kind the last, and how many.
function lyingBeside(scene, side, carried) {
  const { sideOf } = faces(scene);
  const own = scene.game.players.some(({ piece }) => piece);
  const found = new Map();
  for (const { tag, piece, from } of scene.off ?? []) {
    const inHand = carried?.from && carried.from === from;
    if (!inHand && (own ? sideOf[piece] === side : side === "heads")) found.set(piece, { tag, piece, count: (found.get(piece)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

function trayParts(scene, side, players, may, beside) {
  const seats = players.map((player) => seat(scene, player));
  if (scene.game.hands !== "put") return [...seats, element("span", { class: "beside" }, ...beside.map((one) => lying(scene, one, may)))];
  const { pieceOf: shows } = faces(scene);
  const left = scene.supply.shared === undefined ? scene.supply[players[0]?.id] : share(scene.supply.shared, side);
  const shown = pieceOf(scene, shows[side]);
  const name = words.piece(shows[side]);
  const label = left === undefined ? `Take ${name}` : `Take ${name}, ${left} left`;
  const pick = may ? element("button", { type: "button", class: "pick", "data-tray": side, "aria-label": label }, shown)
    : element("span", { class: "pick", "aria-hidden": "true" }, shown);
  return [pick, ...seats, ...(left === undefined ? [] : [groove(scene, left)])];
}

function lying(scene, { tag, piece, count }, may) {
  const shown = [pieceOf(scene, piece), ...(count > 1 ? [element("span", { class: "count" }, String(count))] : [])];
  const label = `Take ${words.piece(piece)}, ${count} beside the board`;
  return may ? element("button", { type: "button", class: "pick", "data-tag": tag, "data-piece": piece, "aria-label": label }, ...shown)
    : element("span", { class: "pick", "aria-hidden": "true" }, ...shown);
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
  fill(row, made, () => made.map(([text, attributes, figure]) => answer(text, attributes, figure)));
  row.classList.toggle("open", made.length > 0);
  byId("usual").classList.toggle("covered", made.length > 0);
}

function answer(text, attributes, figure) {
  const made = button(text, attributes);
  if (figure) made.prepend(picture(figure));
  return made;
}

function answersOf(scene, resumed) {
  const say = (text, word, figure) => [text, { "data-say": word, class: "main" }, figure];
  const undo = scene.can.includes("undo") ? [["Undo", { "data-say": "undo" }]] : [];
  if (scene.ask) return [...scene.ask.choices.map((label) => say(words.choice(scene, label), label, scene.game.looks[label]?.figure)),
    ...(scene.ask.back ? [[words.BACK, { "data-say": "undo" }]] : [])];
  if (scene.offer) return [say(words.AGREE, "ok")];
  if (scene.over) return [[words.AGAIN, { "data-open": "new", class: "main" }], ...undo];
  if (resumed) return [[words.GO_ON, { "data-go-on": "", class: "main" }], [words.ABANDON, { "data-say": "new" }]];
  if (scene.simulated && muchToLay(scene)) return [...layOut(scene), ...undo];
  return [];
}

function muchToLay({ why, owed }) {
  return why === "set-up" || (why !== "move" && Object.keys(owed).length >= MUCH);
}

// Hands of a simulated board lay out what is owed; where no sensor sees it, people say that it lies so.
function layOut(scene) {
  const laid = [[words.LAY_OUT, { "data-lay": "", class: "main" }]];
  return scene.can.includes("ok") ? [...laid, [words.LIES_SO, { "data-say": "ok" }]] : laid;
}

const MUCH = 4;  // debts from which on hands of a simulated board are offered to lay all that lies wrong
const USUAL = ["pass", "undo", "ok", "draw", "resign", "new"];

export function usual(scene, may) {
  const passing = scene.can.includes("pass");  // which ok would do too: one button is enough
  for (const one of document.querySelectorAll(".usual > [data-say]")) {
    one.disabled = !may || !scene.can.includes(one.dataset.say) || (passing && one.dataset.say === "ok");
    one.hidden = !may || (one.dataset.say === "pass" && scene.game.hands !== "put" && !passing);
  }
  byId("watching").hidden = may;
  calls(scene, may);
  byId("open-new").hidden = !may;
}

// What may be called after a move: the word alone where it can only be meant for one, else with whom it is meant for.
function calls(scene, may) {
  const all = may ? scene.can.filter((word) => !USUAL.includes(word)) : [];
  const alone = all.filter((word) => !word.includes(" "));
  const shown = alone.length ? alone : all;
  fill(byId("calls"), shown, () => shown.map((word) => button(words.call(scene, word), { "data-say": word, class: "main" })));
}

// ---- notices, record, legend ----

export function notices(scene, { may, resumed }) {
  const said = [may ? "" : words.WATCHING, resumed ? words.RESUMED : "", scene.journal ?? "", ...scene.findings].filter(Boolean);
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

function ply(scene, { ply: number, player, label, undone, practice, then = [] }) {
  const colour = scene.game.looks[scene.game.players.find(({ id }) => id === player)?.piece]?.colour;
  const item = element("li", { "data-ply": number },
    element("span", { class: "ply" }, `${number}`),
    element("span", { class: "pip", "data-colour": colour ?? "none" }, colour ? "" : words.initial(scene, player)),
    element("span", { class: "unseen" }, `${words.player(scene, player)} `),
    element(undone ? "s" : "span", { class: "move" }, words.move(scene, label)));
  if (undone) item.append(element("span", { class: "unseen" }, " taken back"));
  if (practice) item.append(element("span", { class: "practice" }, "practice"));
  for (const one of then) item.append(element(undone ? "s" : "span", { class: "then" }, words.then(scene, one)));
  return item;
}

export function legend(scene) {
  fill(byId("legend"), [scene.legend, scene.game.letters], () => scene.legend.map((look) => {
    const swatch = element("span", { class: "swatch" }, words.PLAIN_SIGNS.includes(look.sign) ? "" : icon(look.sign));
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

export function shown(scene) {
  byId("lines").value = settings.lines;
  byId("lines-field").hidden = !scene?.game.edges.length;
  for (const box of document.querySelectorAll("[data-show]")) box.checked = settings[box.dataset.show];
  byId("theme").value = settings.theme;
  const dark = settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function keysTable(scene) {
  const { simulated, game: { hands } } = scene;
  byId("board-keys").textContent = words.boardKeys(simulated, hands);
  fill(byId("keys-rows"), hands, () => words.keys(hands).map(([what, keys, gesture]) => element("tr", {},
    element("th", { scope: "row" }, words.capital(what)),
    element("td", {}, ...keys.flatMap((key, n) => [...(n ? [" "] : []), element("kbd", {}, key)])),
    element("td", {}, gesture))));
}
