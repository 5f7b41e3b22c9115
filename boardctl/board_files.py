"""Boards of points and coloured lines out of JSON files: those that come with the package, and a maker's own.

A maker's boards are the files `*.json` in the folder that the environment variable `BOARDCTL_BOARDS` names. A file
is read when its board is chosen; one that is no board is refused with the point, line or figure at fault.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from boardctl.core.model import Edge, WrongOption
from boardctl.games.brax import DEFAULT_BOARD, BraxRules
from boardctl.games.linework import COLOURS, LineBoard, line_board

FOLDER = "BOARDCTL_BOARDS"
"""The environment variable that names the folder of a maker's own boards."""
SHIPPED = ("square", "triangle", "diamond", "hexagon", "octagon")
"""The boards of the package, in the order of the patent's figures."""

FARTHEST = 1000
"""How far to either side a point may lie in a file, in units of the file."""


class MalformedBoard(WrongOption):
    """A file that is no board: the file, and the point, line or figure at fault."""


def board_names() -> list[str]:
    """The boards there are: the shipped ones, then a maker's own by name."""
    return [*SHIPPED, *sorted(own_files().keys() - set(SHIPPED))]


def own_files() -> dict[str, Path]:
    """A maker's board files by the name of their board; one may stand in for a shipped board."""
    folder = os.environ.get(FOLDER)
    if not folder or not Path(folder).is_dir():
        return {}
    return {board_name(path.name): path for path in sorted(Path(folder).glob("*.json"))}


def board_name(file: str) -> str:
    """The name of the board in a file of this name: `mine` of `mine.json` and of `board_mine.json`."""
    return file.removesuffix(".json").lower().removeprefix("board_")


def board_named(name: str) -> LineBoard:
    """The board of this name. Raises `MalformedBoard`."""
    own = own_files().get(name)
    if own is not None:
        return read_board(own)
    return _shipped(name)


@cache
def _shipped(name: str) -> LineBoard:
    return read_board(files("boardctl") / "boards" / f"{name}.json")


def read_board(file: Traversable) -> LineBoard:
    """The board in a file. Raises `MalformedBoard`."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise _refusal(file.name, f"it cannot be read: {fault}") from None
    board = _shaped(file.name, said)
    for wrong in _faults(board):
        raise _refusal(file.name, wrong)
    return line_board(
        board_name(file.name),
        {point["id"]: (point["x"], point["y"]) for point in board["points"]},
        [Edge(edge["a"], edge["b"], edge["colour"]) for edge in board["edges"]],
        board["start"],
    )


def _refusal(name: str, wrong: str) -> MalformedBoard:
    """One line, whatever the names in the file are made of."""
    return MalformedBoard(" ".join(f"board file {name}: {wrong}".split()))


def _shaped(name: str, said: object) -> dict[str, Any]:
    """What a file says, every key of the kind it has to be."""
    from pydantic import BaseModel, Field, ValidationError  # late: it costs more than all else here

    class Point(BaseModel):
        id: str = Field(pattern="^[a-z]+[0-9]+$")  # so that no two moves have one label
        x: float = Field(ge=-FARTHEST, le=FARTHEST)
        y: float = Field(ge=-FARTHEST, le=FARTHEST)

    class Line(BaseModel):
        a: str
        b: str
        colour: str

    class Figure(BaseModel):
        id: str
        points: list[str] = Field(min_length=3)
        blank: bool = False

    class Rule(BaseModel):
        sides: int
        majority: int
        minority: int

    class File(BaseModel):
        points: list[Point] = Field(min_length=2)
        edges: list[Line] = Field(min_length=1)
        figures: list[Figure] = []
        figure_rule: Rule | None = None
        start: dict[str, list[str]]
        half_turn: dict[str, str] = {}

    try:
        return File.model_validate(said).model_dump()
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise _refusal(name, f"{where}: {first['msg']}") from None


Board = Mapping[str, Any]


def _faults(board: Board) -> Iterator[str]:
    """What is wrong with a file whose keys are all of the right kind; what needs the rest comes last."""
    yield from _points(board)
    yield from _edges(board)
    yield from _figures(board)
    yield from _start(board)
    yield from _half_turn(board)


def _points(board: Board) -> Iterator[str]:
    names = Counter(point["id"] for point in board["points"])
    yield from (f"point {name} is there {times} times" for name, times in names.items() if times > 1)
    places: dict[tuple[float, float], str] = {}
    for point in board["points"]:
        other = places.setdefault((point["x"], point["y"]), point["id"])
        if other != point["id"]:
            yield f"points {other} and {point['id']} lie in one place"


def _edges(board: Board) -> Iterator[str]:
    known = {point["id"] for point in board["points"]}
    seen: set[frozenset[str]] = set()
    for edge in board["edges"]:
        a, b = edge["a"], edge["b"]
        if unknown := [name for name in (a, b) if name not in known]:
            yield f"edge {a}-{b}: there is no point {unknown[0]}"
        if a == b:
            yield f"edge {a}-{b}: it leads nowhere"
        if edge["colour"] not in COLOURS:
            yield f"edge {a}-{b}: its colour is {edge['colour']!r}; it is {' or '.join(COLOURS)}"
        if frozenset((a, b)) in seen:
            yield f"edge {a}-{b}: it is there twice"
        seen.add(frozenset((a, b)))
    joined = {name for pair in seen for name in pair}
    yield from (f"point {name}: no edge leads there" for name in sorted(known - joined))


def _figures(board: Board) -> Iterator[str]:
    """Every figure is closed by edges, and of two colours as its rule says."""
    colours = {frozenset((edge["a"], edge["b"])): edge["colour"] for edge in board["edges"]}
    rule = board["figure_rule"]
    for figure in board["figures"]:
        corners = figure["points"]
        sides = [frozenset(pair) for pair in pairwise([*corners, corners[0]])]
        if missing := [side for side in sides if side not in colours]:
            yield f"figure {figure['id']}: its side {'-'.join(sorted(missing[0]))} is no edge"
        elif rule is not None and not figure["blank"]:
            counts = sorted(Counter(colours[side] for side in sides).values(), reverse=True)
            if counts != [rule["majority"], rule["minority"]]:
                yield (
                    f"figure {figure['id']}: its sides are {_plus(counts)} of a colour; "
                    f"they have to be {rule['majority']}+{rule['minority']}"
                )


def _plus(counts: Sequence[int]) -> str:
    return "+".join(str(count) for count in counts)


def _start(board: Board) -> Iterator[str]:
    known = {point["id"] for point in board["points"]}
    if tuple(sorted(board["start"])) != COLOURS:
        yield f"start: it names {_listed(board['start']) or 'nobody'}; it has to name blue and red"
        return
    cells = [cell for colour in COLOURS for cell in board["start"][colour]]
    yield from (f"start: there is no point {cell}" for cell in cells if cell not in known)
    taken = Counter(cells)
    yield from (f"start: two men stand on {cell}" for cell, men in taken.items() if men > 1)
    if len(board["start"]["blue"]) != len(board["start"]["red"]) or not cells:
        yield "start: both sides have to have as many men, and one at least"


def _half_turn(board: Board) -> Iterator[str]:
    """The turn pairs all points and changes every colour, so that both sides play alike."""
    turn: Mapping[str, str] = board["half_turn"]
    known = {point["id"] for point in board["points"]}
    if not turn:
        return
    if turn.keys() != known or set(turn.values()) != known:
        odd = sorted((turn.keys() | set(turn.values())) ^ known) or sorted(known)
        yield f"half_turn: it does not pair all points, {odd[0]} for one"
        return
    colours = {frozenset((edge["a"], edge["b"])): edge["colour"] for edge in board["edges"]}
    for (a, b), colour in sorted((sorted(pair), colour) for pair, colour in colours.items()):
        opposite = colours.get(frozenset((turn[a], turn[b])))
        if opposite == colour:
            yield f"edge {a}-{b}: it is {colour} like {turn[a]}-{turn[b]}, where the half turn brings it"
        elif opposite is None:
            yield f"edge {a}-{b}: the half turn brings it to {turn[a]}-{turn[b]}, which is no edge"
    for cell in board["start"]["blue"]:
        if turn[cell] not in board["start"]["red"]:
            yield f"start: the half turn brings {cell} to {turn[cell]}, where no red man starts"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


BRAX = BraxRules(board_names, board_named)
assert SHIPPED[0] == DEFAULT_BOARD
