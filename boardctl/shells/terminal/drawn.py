"""The board in letters: every cell three characters that tell what lies there and what its light says.

Colour and rhythm come on top and are never needed. A light is written around the piece: `(.)` may be played, `!X!`
wrong, `?.?` one of the answers, `#X#` marked, `[X]` the last move; and between what lies there and what should
where hands have something to do: `X>O` turn, `.+X` put, `X-.` take, `~=X` confirm. `~` is what nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import floor
from typing import Any, NamedTuple, TypeAlias

from boardctl.core.model import Cell, Piece
from boardctl.shells.terminal.desk import Scene

UNKNOWN = "unknown"
"""What lies on a cell that nobody can tell."""
EMPTY_LETTER, UNKNOWN_LETTER = ".", "~"

_AROUND: Mapping[str, str] = {
    "": " {} ",
    "wrong": "!{}!",
    "choice": "?{}?",
    "mark": "#{}#",
    "hint": "({})",
    "last": "[{}]",
}
_BETWEEN: Mapping[str, str] = {"turn": ">", "put": "+", "take": "-", "confirm": "="}
_WIDTH = 3
_LIT = 0.5
"""From this part of full strength on a light is shown as lit; one that glides, from half its way on."""


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
    """What the light of a cell says: wrong, turn, put, take, confirm, choice, mark, hint, last, or nothing."""
    light = scene["cells"][cell]["light"]
    if light is None:
        return ""
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


def drawing(scene: Scene) -> list[Line]:
    """The board, line by line, texts and marks in order. Columns and rows are named where names lie in a grid."""
    places = _places(scene)
    if not _is_grid(places):
        return list(_named(scene, places))
    columns = {x: cell.rstrip("0123456789") for cell, (x, _) in places.items()}
    margin = max(len(_row_name(cell)) for cell in places)
    header = _spread({_column(places, x, _WIDTH + 1): f" {name.upper()} " for x, name in columns.items()})
    lines: list[Line] = [[" " * (margin + 1), *header]]
    for y, row in _rows(places).items():
        name = next(_row_name(cell) for cell in places if places[cell][1] == y)
        spots = {_column(places, places[cell][0], _WIDTH + 1): mark(scene, cell) for cell in row}
        lines.append([f"{name:>{margin}} ", *_spread(spots)])
    return lines


def text(line: Line) -> str:
    """A line as it stands without colour."""
    return "".join(part if isinstance(part, str) else part.text for part in line).rstrip()


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


def _named(scene: Scene, places: _Places) -> Iterator[Line]:
    """Every cell with its own name: `a1 X `."""
    longest = max(map(len, places))
    pitch = (longest + _WIDTH + 3) // 2 * 2
    for row in _rows(places).values():
        spots: dict[int, str | Mark] = {}
        for cell in row:
            column = _column(places, places[cell][0], pitch)
            spots[column] = f"{cell.upper():>{longest}}"
            spots[column + longest] = mark(scene, cell)
        yield _spread(spots)


def _rows(places: _Places) -> dict[float, list[Cell]]:
    """The cells of each row from left to right, the top row first."""
    rows: dict[float, list[Cell]] = {y: [] for y in sorted({y for _, y in places.values()})}
    for cell, (_, y) in sorted(places.items(), key=lambda item: item[1][0]):
        rows[y].append(cell)
    return rows


def _column(places: _Places, x: float, pitch: int) -> int:
    """Where a cell begins when the two nearest in one row are `pitch` characters apart."""
    steps = [
        places[right][0] - places[left][0] for row in _rows(places).values() for left, right in pairwise(row)
    ]
    first = min(x for x, _ in places.values())
    return round((x - first) / min(steps, default=1.0) * pitch)


def _spread(spots: Mapping[int, str | Mark]) -> Line:
    """Parts at their columns, with blanks between."""
    line: Line = []
    at = 0
    for column, part in sorted(spots.items(), key=lambda item: item[0]):
        line += [" " * (column - at), part]
        at = column + len(part if isinstance(part, str) else part.text)
    return line


# Rhythm and colour, out of the same legend as LEDs and page


def lit(scene: Scene, seconds: float) -> frozenset[Cell]:
    """The cells whose light is bright at a moment of the common clock."""
    looks = {look["sign"]: look for look in scene["legend"]}
    choices = [cell for cell in scene["cells"] if sign(scene, cell) == "choice"]
    return frozenset(
        cell
        for cell in scene["cells"]
        if (said := sign(scene, cell)) and _bright(looks[said], seconds, _turn(scene, cell, choices))
    )


def _turn(scene: Scene, cell: Cell, choices: list[Cell]) -> tuple[int, int]:
    """The place of a cell along its line, or among the candidates of a question, and how many those are."""
    if cell in choices:
        return choices.index(cell), max(len(choices), 2)
    return max(scene["cells"][cell]["light"]["step"] - 1, 0), 1


def _bright(look: Mapping[str, Any], seconds: float, turn: tuple[int, int]) -> bool:
    place, of = turn
    if look["turn"]:
        return bool(floor(seconds / look["turn"]) % of == place)
    phase = ((seconds - place * look["step"]) / look["period"]) % 1
    if look["passage"] == "glide":
        levels = [level for _, level in look["pattern"]]
        return bool(_level(look, phase) >= (min(levels) + max(levels)) / 2)
    return bool(look["strength"] * _level(look, phase) >= _LIT)


def _level(look: Mapping[str, Any], phase: float) -> float:
    """The level at a part of the period; between two beats of a glide, along the straight line."""
    beats = [*look["pattern"], [1.0, look["pattern"][0][1]]]
    here = max(n for n, (at, _) in enumerate(beats) if at <= phase)
    (at, level), (later, next_level) = beats[here], beats[here + 1]
    if look["passage"] == "jump":
        return float(level)
    return float(level + (next_level - level) * (phase - at) / (later - at))


def moving(scene: Scene) -> bool:
    """Whether any light of the board comes and goes."""
    steady = {look["sign"] for look in scene["legend"] if len(look["pattern"]) == 1 and not look["turn"]}
    return any(said and said not in steady for said in (sign(scene, cell) for cell in scene["cells"]))


def colour(scene: Scene, said: str, piece: Piece | None) -> str | None:
    """The colour of a sign about a piece, as a style sheet writes it; of a dark cell that of its piece."""
    look = next(look for look in scene["legend"] if look["sign"] == (said or "turn"))
    found: str | None = look["colours"].get("any") or look["colours"].get(piece)
    return found
