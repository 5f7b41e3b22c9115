"""The board in letters: every cell three characters that tell what lies there and what its light says.

Colour and rhythm come on top and are never needed. A light is written around the piece: `(.)` may be played, `!X!`
wrong, `?.?` one of the answers, `#X#` marked, `<X>` may be turned, `[X]` the last move; and between what lies there
and what should where hands have something to do: `X>O` turn, `.+X` put, `X^.` take, `~=X` confirm. `~` is what nobody
knows. Where there are lines between cells, they are drawn too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from boardctl.core.model import Cell, Piece
from boardctl.shells.terminal import lines
from boardctl.shells.terminal.desk import Scene

UNKNOWN = "unknown"
"""What lies on a cell that nobody can tell."""
EMPTY_LETTER, UNKNOWN_LETTER = ".", "~"

_AROUND: Mapping[str, str] = {
    "": " {} ",
    "wrong": "!{}!",
    "choice": "?{}?",
    "mark": "#{}#",
    "hint-turn": "<{}>",
    "hint": "({})",
    "last": "[{}]",
}
_BETWEEN: Mapping[str, str] = {"turn": ">", "put": "+", "take": "^", "confirm": "="}
_WIDTH = 3
_STROKE = 2
"""Characters of a line that are seen between two marks in a grid."""
_WIDE = 79
"""Characters across that boards of many named cells should not exceed."""


class Mark(NamedTuple):
    """One cell as drawn: its text; what its light says (`""`: dark); the piece it lies or should."""

    cell: Cell
    text: str
    sign: str
    piece: Piece | None


Line: TypeAlias = list[str | Mark]


def lying(scene: Scene, cell: Cell) -> Piece | None:
    """What lies on a cell: with simulated hands what they put there, else what the board believes."""
    seen, hands = scene["cells"][cell], scene["hands"]
    if hands is None:
        known: Piece | None = UNKNOWN if seen["lies"] == "some" else seen["lies"]
        return known
    on_board: Piece | None = hands.get(cell)
    return on_board


def sign(scene: Scene, cell: Cell) -> str:
    """What the light of a cell says, as the legend names it: wrong, turn, hint-turn and so on; or nothing."""
    light = scene["cells"][cell]["light"]
    if light is None:
        return ""
    if light["meaning"] == "hint" and light["do"] == "turn":
        return "hint-turn"
    said: str = (light["do"] or "turn") if light["meaning"] == "owed" else light["meaning"]
    return said


def letter(scene: Scene, piece: Piece | None) -> str:
    """The one letter of a piece."""
    if piece is None:
        return EMPTY_LETTER
    return UNKNOWN_LETTER if piece == UNKNOWN else str(scene["game"]["letters"].get(piece, piece))[:1]


def mark(scene: Scene, cell: Cell) -> Mark:
    """One cell as it is drawn."""
    lies, said = lying(scene, cell), sign(scene, cell)
    if said not in _BETWEEN:
        return Mark(cell, _AROUND[said].format(letter(scene, lies)), said, lies)
    to = scene["cells"][cell]["light"]["to"]
    return Mark(cell, letter(scene, lies) + _BETWEEN[said] + letter(scene, to), said, to)


def drawing(scene: Scene, *, with_lines: bool = True) -> list[Line]:
    """The board, line by line, texts and marks in order. Columns and rows are named where names lie in a grid.

    Lines between cells are drawn unless they are not wanted: they take a line of text more for each row.
    """
    places = _places(scene)
    lined = with_lines and bool(scene["game"]["edges"])
    plan = _in_grid(places, lined) if _is_grid(places) else _named(places, lined)
    rows = list(_rows(places).values())
    header = [plan.header] if plan.header else []
    return header + (_with_lines(scene, plan, rows) if lined else [_cells(scene, plan, row) for row in rows])


def _cells(scene: Scene, plan: _Plan, row: list[Cell]) -> Line:
    """A row of cells with blanks between."""
    return _spread({**plan.named(row), **{plan.starts[cell]: mark(scene, cell) for cell in row}})


def _with_lines(scene: Scene, plan: _Plan, rows: list[list[Cell]]) -> list[Line]:
    """The rows, and between them the strokes that lead from one to the next."""
    drawn = lines.Strokes(
        scene, {cell: (n, plan.starts[cell] + 1) for n, row in enumerate(rows) for cell in row}
    )
    made: list[Line] = []
    for n, row in enumerate(rows):
        marks = {plan.starts[cell]: mark(scene, cell) for cell in row}
        made += [_row(plan.named(row), marks, drawn.along(n)), [drawn.below(n)]]
    return made[:-1]


def _row(names: Mapping[int, str], marks: Mapping[int, Mark], strokes: Mapping[int, str]) -> Line:
    """Names and marks with strokes between; a dark mark is its letter alone, to which the strokes lead."""
    parts: dict[int, str | Mark] = dict(names)
    taken = {column + n for column, name in names.items() for n in range(len(name))}
    taken |= {start for start in marks if start - 1 in taken}  # a blank between a name and its letter
    for start, each in marks.items():
        parts[start if each.sign else start + 1] = each if each.sign else each._replace(text=each.text[1])
        taken |= set(range(start, start + _WIDTH)) if each.sign else {start + 1}
    return _spread(parts | {column: stroke for column, stroke in strokes.items() if column not in taken})


def text(line: Line) -> str:
    """A line as it stands without colour."""
    return "".join(map(_letters, line)).rstrip()


_Places: TypeAlias = Mapping[Cell, tuple[float, float]]


def _places(scene: Scene) -> _Places:
    return {each["cell"]: (each["x"], each["y"]) for each in scene["game"]["cells"]}


def _row_name(cell: Cell) -> str:
    return cell.lstrip("abcdefghijklmnopqrstuvwxyz")


def _is_grid(places: _Places) -> bool:
    """Whether a letter always means the same column and a number the same row."""
    if not all(re.fullmatch(r"[a-z]+\d+", cell) for cell in places):
        return False
    letters = {(cell.rstrip("0123456789"), x) for cell, (x, _) in places.items()}
    numbers = {(_row_name(cell), y) for cell, (_, y) in places.items()}
    return all(
        len(dict(pairs)) == len({value for _, value in pairs}) == len(pairs) for pairs in (letters, numbers)
    )


class _Plan(NamedTuple):
    """Where all is drawn: the first line if there is one, the columns of the marks, names with their columns."""

    header: Line
    starts: Mapping[Cell, int]
    names: Mapping[Cell, tuple[int, str]]

    def named(self, row: list[Cell]) -> dict[int, str]:
        """The names of a row by their columns."""
        return dict(self.names[cell] for cell in row)


def _in_grid(places: _Places, lined: bool) -> _Plan:
    """Columns named above, rows at the left."""
    margin = max(len(_row_name(cell)) for cell in places)
    pitch = _WIDTH + (_STROKE if lined else 1)
    starts = {cell: margin + 1 + round(x * pitch) for cell, x in _abscissas(places).items()}
    above = {starts[cell]: f" {cell.rstrip('0123456789').upper()} " for cell in places}
    names = {cell: (0, f"{_row_name(cell):>{margin}} ") for cell in places}
    return _Plan(_spread(above), starts, names)


def _named(places: _Places, lined: bool) -> _Plan:
    """Every cell with its own name: `a1 X `."""
    longest, across = max(map(len, places)), _abscissas(places)
    pitch = (longest + _WIDTH + 3) // 2 * 2
    if lined:
        pitch = min(pitch, int((_WIDE - longest - _WIDTH) / max(*across.values(), 1.0)))
    firsts = {cell: round(x * pitch) for cell, x in across.items()}
    names = {cell: (first, f"{cell.upper():>{longest}}") for cell, first in firsts.items()}
    return _Plan([], {cell: first + longest for cell, first in firsts.items()}, names)


def _rows(places: _Places) -> dict[float, list[Cell]]:
    """The cells of each row from left to right, the top row first."""
    rows: dict[float, list[Cell]] = {y: [] for y in sorted({y for _, y in places.values()})}
    for cell, (_, y) in sorted(places.items(), key=lambda item: item[1][0]):
        rows[y].append(cell)
    return rows


def _abscissas(places: _Places) -> dict[Cell, float]:
    """How far to the right every cell lies: 0 leftmost, the two nearest in one row 1 apart."""
    steps = [
        places[right][0] - places[left][0] for row in _rows(places).values() for left, right in pairwise(row)
    ]
    first, step = min(x for x, _ in places.values()), min(steps, default=1.0)
    return {cell: (x - first) / step for cell, (x, _) in places.items()}


def _spread(spots: Mapping[int, str | Mark]) -> Line:
    """Parts at their columns, with blanks between."""
    line: Line = []
    at = 0
    for column, part in sorted(spots.items(), key=lambda item: item[0]):
        line += [" " * (column - at), part]
        at = column + len(_letters(part))
    return line


def _letters(part: str | Mark) -> str:
    return part if isinstance(part, str) else part.text
