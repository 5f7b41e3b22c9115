// Everything the page itself says, in one place so that it can be translated. The judge's sentences come ready.

const SIGNS = {
  wrong: () => "wrong",
  turn: () => "to be turned",
  put: (piece) => `put ${piece} here`,
  take: () => "to be taken away",
  confirm: () => "to be confirmed",
  choice: () => "one of the answers",
  mark: () => "marked",
  hint: () => "may be played",
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
  first: "Who begins",
  diagonal: "The start",
  pass: "A forced pass",
  empties_to_winner: "Empty cells go to the winner",
  practice: "Moves for practice",
  size: "Cells along a side",
};

const CHOICES = { announce: "is confirmed", automatic: "goes by itself", "as-laid": "as laid" };

export const LOOKING = "Looking for the board.";
export const LOST = "The connection is lost. Trying again.";
export const UNSENT = "That did not reach the board. The connection is lost.";
export const WATCHING = "You are watching. To play, open the link with the token.";
export const RESUMED = "An earlier game goes on.";
export const GO_ON = "Go on";
export const ABANDON = "Abandon it";
export const NO_MOVES = "None yet.";
export const AGREE = "Agree";
export const AGAIN = "New game";
export const TAKEN = "A piece lies there already. Slide to an empty cell.";

export const KEYS = [
  ["walk over the board", ["Arrows"], "–"],
  ["put the mover’s piece", ["Enter"], "tap an empty cell"],
  ["put the other side", ["Shift", "Enter"], "tap a tray, then a cell; or drag"],
  ["turn a piece", ["Enter"], "tap it"],
  ["lift a piece", ["Delete"], "press long, click right, or drag it off the board"],
  ["slide a piece", ["Shift", "Arrow"], "drag it to another cell"],
  ["nudge a piece", ["N"], "drag it a little within its cell"],
  ["pass", ["P"], "Pass"],
  ["take back", ["U"], "Undo"],
  ["agree, confirm", ["O"], "OK"],
  ["put the piece in hand back", ["Escape"], "tap the tray again"],
  ["see the keys", ["?"], "Keys"],
];

export function boardKeys(simulated) {
  return simulated
    ? "Arrows walk, Enter puts or turns, Delete lifts, Shift with an arrow slides, N nudges, question mark shows all keys."
    : "Arrows walk over the board.";
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

export function sign(light) {
  return light.meaning === "owed" ? (light.do ?? "turn") : light.meaning;
}

export function choice(scene, label) {
  if (label in WORDS) return WORDS[label];
  return label.split(" ").map((word) => move(scene, word)).join(" ");
}

export function move(scene, label) {
  if (label === "pass") return "pass";
  const names = new Map(scene.game.cells.map(({ cell, name }) => [cell, name]));
  return label.split(/([ x-])/).map((part) => names.get(part) ?? part).join("");
}

export function cell(scene, place, lies, show) {
  const seen = scene.cells[place.cell] ?? {};
  const parts = [place.name, content(scene, seen, lies)];
  if (seen.light) parts.push(SIGNS[sign(seen.light)]?.(piece(seen.light.to ?? scene.game.noun)) ?? sign(seen.light));
  if (show.difference && differs(seen, lies)) parts.push(seen.should ? `should be ${piece(seen.should)}` : "should be empty");
  if (show.sees && seen.sees) parts.push(SENSES[seen.sees] ?? seen.sees);
  if (seen.aside) parts.push("sensor set aside");
  return parts.join(", ");
}

export function differs(seen, lies) {
  return lies !== "unknown" && (seen.should ?? null) !== (lies ?? null) && !(lies === "some" && seen.should);
}

function content(scene, seen, lies) {
  if (lies === "some") return `a ${scene.game.noun}`;
  if (lies === "unknown") return seen.should ? `not seen, should be ${piece(seen.should)}` : "not seen, should be empty";
  return lies ? piece(lies) : "empty";
}

export function did(message, names, side) {
  switch (message.hand) {
    case "put": return `${capital(side)} put on ${names.get(message.cell)}.`;
    case "lift": return `${names.get(message.cell)} lifted.`;
    case "turn": return `${names.get(message.cell)} turned.`;
    case "nudge": return `${names.get(message.cell)} nudged.`;
    case "slide": return `${names.get(message.path[0])} slid to ${names.get(message.path.at(-1))}.`;
    default: return "";
  }
}
