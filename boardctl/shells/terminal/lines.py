"""The lines of a board in letters: a stroke from point to point, in a style for each owner.

The first owner's are single (`-`, `|`, `/`, `\\`), the second's double (`=`, `#`, `//`, `\\\\`), a third's dotted, so
that nobody needs colour to tell them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from boardctl.core.model import Cell
from boardctl.shells.terminal.desk import Scene


class Style(NamedTuple):
    """How one owner's lines are drawn; those that climb or fall may take two characters."""

    across: str
    upright: str
    rising: str
    falling: str


STYLES = (Style("-", "|", "/", "\\"), Style("=", "#", "//", "\\\\"), Style(".", ":", ".", "."))

Spots: TypeAlias = Mapping[Cell, tuple[int, int]]
"""Where the letter of every piece is drawn: row (0 the top one) and column."""


def styles(scene: Scene) -> dict[str, Style]:
    """The style of every owner of lines."""
    owners = sorted({edge["of"] for edge in scene["game"]["edges"]}, key=_seats(scene))
    return {owner: STYLES[n % len(STYLES)] for n, owner in enumerate(owners)}


def _seats(scene: Scene) -> Any:
    """Owners in the order of play, as far as they play; then by name."""
    seats = [player["id"] for player in scene["game"]["players"]]
    return lambda owner: (seats.index(owner) if owner in seats else len(seats), owner)


def ways(scene: Scene) -> list[str]:
    """The ways in which lines of this board run, of the fields of a style."""
    places = {each["cell"]: (each["x"], each["y"]) for each in scene["game"]["cells"]}
    found = {_way(places[edge["a"]], places[edge["b"]]) for edge in scene["game"]["edges"]}
    return [way for way in Style._fields if way in found]


def _way(one: tuple[float, float], other: tuple[float, float]) -> str:
    (left, start), (right, end) = sorted((one, other))
    if start == end:
        return "across"
    return "upright" if left == right else "falling" if end > start else "rising"


class Strokes:
    """The lines of a board as strokes in rows and between them; `told.look` tells those exactly that skip a row."""

    def __init__(self, scene: Scene, spots: Spots) -> None:
        self._along: dict[int, dict[int, str]] = {}
        self._below: dict[int, dict[int, str]] = {}
        known = styles(scene)
        for edge in scene["game"]["edges"]:
            left, right = sorted((spots[edge["a"]], spots[edge["b"]]), key=lambda spot: (spot[1], spot[0]))
            self._draw(known[edge["of"]], left, right)

    def _draw(self, style: Style, start: tuple[int, int], end: tuple[int, int]) -> None:
        (top, left), (bottom, right) = start, end
        way = _way((left, top), (right, bottom))
        if way == "across":
            self._along.setdefault(top, {}).update(dict.fromkeys(range(left + 1, right), style.across))
            return
        stroke: str = getattr(style, way)
        at = round((left + right - len(stroke) + 1.02) / 2)
        self._below.setdefault(min(top, bottom), {}).update(enumerate(stroke, at))

    def along(self, row: int) -> Mapping[int, str]:
        """The strokes in a row, each character at its column, from letter to letter."""
        return self._along.get(row, {})

    def below(self, row: int) -> str:
        """The text between a row and the next: strokes that lead from one to the other."""
        drawn = self._below.get(row, {})
        return "".join(drawn.get(column, " ") for column in range(max(drawn, default=-1) + 1))
