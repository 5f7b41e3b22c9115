// The lines of a board that has some. Whose a line is, is told by colour and by thickness; whoever wants more may
// have the thin ones dotted, wavy or double.

import { drawn } from "./make.js";

const WAVE = 0.25;  // cells a half wave is long
const HEIGHT = 0.14;  // cells its control point is off the line

export function linesOf(scene, { left, top, cols, rows }, style) {
  const at = new Map(scene.game.cells.map(({ cell, x, y }) => [cell, [x - left + 0.5, y - top + 0.5]]));
  const owners = [...new Set(scene.game.edges.map(({ of }) => of))].sort();
  const svg = drawn("svg", { class: "lines", viewBox: `0 0 ${cols} ${rows}`, "aria-hidden": "true" });
  for (const [n, owner] of owners.entries()) {
    const ends = scene.game.edges.filter(({ of }) => of === owner).map(({ a, b }) => [at.get(a), at.get(b)]);
    svg.append(...drawnLines(scene.game.looks[owner]?.colour ?? owner, ends, n === 0 ? "heavy" : style));
  }
  return svg;
}

function drawnLines(colour, ends, style) {
  const way = ends.map(([a, b]) => (style === "wavy" ? wave(a, b) : `M${a}L${b}`)).join("");
  const line = (part) => drawn("path", { d: way, "data-colour": colour, "data-style": style, "data-part": part });
  return style === "double" ? [line("outer"), line("inner")] : [line("whole")];
}

function wave([x, y], [toX, toY]) {
  const far = Math.hypot(toX - x, toY - y);
  const bows = 2 * Math.max(1, Math.round(far / WAVE / 2));
  const [dx, dy] = [(toX - x) / bows, (toY - y) / bows];
  const [offX, offY] = [(-dy / (far / bows)) * HEIGHT, (dx / (far / bows)) * HEIGHT];
  const bow = (_, n) => {
    const way = n % 2 ? -1 : 1;
    return `q${[dx / 2 + way * offX, dy / 2 + way * offY]} ${[dx, dy]}`;
  };
  return `M${[x, y]}${Array.from({ length: bows }, bow).join("")}`;
}
