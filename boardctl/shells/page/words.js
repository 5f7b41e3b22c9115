// Everything the page itself says, in one place so that it can be translated. The judge's sentences come ready.

const SIGNS = {
  wrong: () => "wrong",
  turn: () => "to be turned",
  put: (piece) => `put ${piece} here`,
  take: () => "to be taken away",
  confirm: () => "to be confirmed",
  choice: () => "one of the answers",
  mark: () => "marked",
  hint: (_, light) => (light.do === "take" ? "may be moved" : "may be played"),
  "hint-turn": () => "may be turned",
  last: () => "last move",
};

const SENSES = {
  heads: "its sensor sees heads",
  tails: "its sensor sees tails",
  piece: "its sensor sees a piece",
  empty: "its sensor sees nothing",
  unknown: "its sensor tells nothing",
};

const WORDS = {
  nothing: "Nothing happened",
  keep: "Keep the move",
  undo: "Take it back",
  pass: "Pass",
  ok: "OK",
};

// Signs that are a mere dot, without a picture.
export const PLAIN_SIGNS = ["hint", "last"];

export const SENSORS = {
  presence: "that something lies there (reeds)",
  polarity: "which side is up (hall sensors)",
  presses: "that a cell was pressed (buttons)",
  tags: "which piece it is (tags)",
};

export const POLICIES = {
  teach: ["Teach", "Shows where one may move, and every mistake. Undo is free."],
  club: ["Club", "No hints. A move is taken back when the other side agrees."],
  tournament: ["Tournament", "A move that was made stands, and so do turns that were forgotten."],
};

export const OPTION_NAMES = {
  diagonal: "The first four discs",
  pass: "A forced pass",
  empties_to_winner: "Empty cells go to the winner",
  practice: "Moves for practice",
  lines: "Lines that score",
  rounds: "Rounds to win",
  quiet_limit: "Quiet moves before nobody wins",
  players: "Players",
  board: "The board",
  lone_may_call: "A lone piece may call",
};

const CHOICES = {
  announce: "is confirmed", automatic: "goes by itself", "as-laid": "as laid",
  sides: "sides and diagonals", all: "every line of three",
};

export const LOOKING = "Looking for the board.";
export const LOST = "The connection is lost. Trying again.";
export const UNSENT = "That did not reach the board. The connection is lost.";
export const WATCHING = "You are watching. To play, open the link with the token.";
export const RESUMED = "An earlier game goes on.";
export const BACK = "Back";
export const GO_ON = "Go on";
export const ABANDON = "Abandon it";
export const NO_MOVES = "None yet.";
export const AGREE = "Agree";
export const AGAIN = "New game";
export const TAKEN = "A piece lies there already. Slide to an empty cell.";
export const EMPTY_HANDED = "No such piece lies beside the board. Move one that is on it.";
export const LAY_OUT = "Lay it out";
export const LIES_SO = "It lies so";

const EVERY_KEY = [
  ["walk over the board", ["Arrows"], "–"],
];
const USUAL_KEYS = [
  ["pass", ["P"], "Pass"],
  ["take back", ["U"], "Undo"],
  ["agree, confirm", ["O"], "OK"],
  ["put the piece in hand back", ["Escape"], "tap where it came from"],
  ["see the keys", ["?"], "Keys"],
];
const KEYS_OF = {
  put: [
    ["put the mover’s piece", ["Enter"], "tap an empty cell"],
    ["put the other side", ["Shift", "Enter"], "tap a tray, then a cell; or drag"],
    ["turn a piece", ["Enter"], "tap it"],
    ["lift a piece", ["Delete"], "press long, click right, or drag it off the board"],
    ["slide a piece", ["Shift", "Arrow"], "drag it to another cell"],
    ["nudge a piece", ["N"], "drag it a little within its cell"],
  ],
  move: [
    ["lift a piece, and put it down", ["Enter"], "tap it, then where it goes; or drag it"],
    ["take a piece", ["Enter"], "put yours where it stands"],
    ["take a piece off the board", ["Delete"], "click right, or drag it off the board"],
    ["bring a piece back", ["Enter"], "tap it beside the board, then a cell; or just the cell that wants it"],
    ["nudge a piece", ["N"], "–"],
  ],
  exchange: [
    ["turn a piece that lies face down", ["Enter"], "tap it"],
    ["turn any piece", ["T"], "press long"],
    ["exchange two", ["Enter"], "tap one, then the other; or drag it there"],
    ["take a piece off the board", ["Delete"], "click right, or drag it off the board"],
    ["bring a piece back", ["Enter"], "tap it beside the board, then a cell; or just the cell that wants it"],
    ["nudge a piece", ["N"], "–"],
  ],
};

export function keys(hands) {
  return [...EVERY_KEY, ...KEYS_OF[hands], ...USUAL_KEYS];
}

const BOARD_KEYS = {
  put: "Arrows walk, Enter puts or turns, Delete lifts, Shift with an arrow slides, N nudges, question mark shows all keys.",
  move: "Arrows walk, Enter lifts and puts down, Delete takes away, question mark shows all keys.",
  exchange: "Arrows walk, Enter turns, or lifts and exchanges, T turns any, question mark shows all keys.",
};

export function boardKeys(simulated, hands) {
  return simulated ? BOARD_KEYS[hands] : "Arrows walk over the board.";
}

export function piece(name) {
  return name.length === 1 ? name : name.replaceAll(/[_-]/g, " ");
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function option(word) {
  return CHOICES[word] ?? capital(piece(word));
}

export function sides(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function player(scene, id) {
  return scene.game.players.find((one) => one.id === id)?.title ?? capital(piece(id));
}

export function initial(scene, id) {
  return scene.game.players.find((one) => one.id === id)?.letter ?? "";
}

export function sign(light) {
  if (light.meaning === "hint" && light.do === "turn") return "hint-turn";
  return light.meaning === "owed" ? (light.do ?? "turn") : light.meaning;
}

export function look(legend, light) {
  return legend.find((entry) => entry.sign === sign(light));
}

export function choice(scene, label) {
  if (label in WORDS) return WORDS[label];
  return label in scene.game.faces ? capital(piece(label)) : capital(move(scene, label));
}

// A label as it is written down: G1–G3, E6×F5, flip B2 heart.
export function move(scene, label) {
  if (label === "pass") return "pass";
  const names = new Map(scene.game.cells.map(({ cell, name }) => [cell, name]));
  const parts = label.split(/([ x-])/);
  if (!parts.every((part, n) => n % 2 || names.has(part) || parts.includes(" "))) return label;
  return parts.map((part, n) => (n % 2 ? SIGNS_BETWEEN[part] : names.get(part) ?? part)).join("");
}

const SIGNS_BETWEEN = { " ": " ", x: "×", "-": "–" };

// What came with a ply: a call, a point, the end of a round.
export function then(scene, { event, player: who, what }) {
  if (event === "call") return what;
  if (event === "point") return `point: ${piece(what)}`;
  return who ? `round to ${player(scene, who)}` : "round void";
}

export function call(scene, word) {
  const [verb, whom] = word.split(" ");
  return whom ? `${capital(verb)} on ${player(scene, whom)}` : capital(verb);
}

export function cell(scene, place, lies, show, inHand) {
  const seen = scene.cells[place.cell] ?? {};
  const parts = [place.name, inHand ? `${piece(inHand)} in hand` : content(scene, seen, lies)];
  if (scene.turn?.must.includes(place.cell)) parts.push("has to move");
  else if (seen.marked) parts.push("marked");
  if (seen.light && seen.light.meaning !== "mark") parts.push(told(scene, seen.light));
  if (show.difference && differs(seen, lies)) parts.push(seen.should ? `should be ${piece(seen.should)}` : "should be empty");
  if (show.sees && seen.sees) parts.push(SENSES[seen.sees] ?? seen.sees);
  if (seen.aside) parts.push("sensor set aside");
  return parts.join(", ");
}

function told(scene, light) {
  return SIGNS[sign(light)]?.(piece(light.to ?? scene.game.noun), light) ?? sign(light);
}

export function differs(seen, lies) {
  return lies !== "unknown" && (seen.should ?? null) !== (lies ?? null) && !(lies === "some" && seen.should);
}

function content(scene, seen, lies) {
  if (lies === "some") return `a ${scene.game.noun}`;
  if (lies === "unknown") return seen.should ? `not seen, should be ${piece(seen.should)}` : "not seen, should be empty";
  return lies ? piece(lies) : "empty";
}

export function did(message, names, name) {
  const at = (cell) => names.get(cell);
  switch (message.hand) {
    case "put": case "bring": return `${capital(name)} put on ${at(message.cell)}.`;
    case "lift": return `${at(message.cell)} lifted.`;
    case "turn": return `${at(message.cell)} turned.`;
    case "nudge": return `${at(message.cell)} nudged.`;
    case "slide": return `${at(message.path[0])} slid to ${at(message.path.at(-1))}.`;
    case "set": return message.start === message.end ? `${at(message.start)} put back.` : `${at(message.start)} put on ${at(message.end)}.`;
    case "take": return `${at(message.start)} takes ${at(message.end)}.`;
    case "exchange": return `${at(message.one)} and ${at(message.other)} exchanged.`;
    case "lay": return "All laid out.";
    default: return "";
  }
}
