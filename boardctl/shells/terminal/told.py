"""What a person may ask about a scene, answered in lines of plain text: complete without seeing the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardctl.core.model import Cell, Piece
from boardctl.shells.terminal import drawn, words
from boardctl.shells.terminal.desk import Scene


def board(scene: Scene) -> str:
    """The board in letters, and what the signs on it say."""
    lines = [drawn.text(line) for line in drawn.drawing(scene)]
    return "\n".join([*lines, *([key(scene)] if key(scene) else [])])


def key(scene: Scene) -> str:
    """The signs that are on the board now, each with what it says: `(.) may be played`."""
    shown: dict[str, str] = {}
    for cell in scene["cells"]:
        mark = drawn.mark(scene, cell)
        if mark.sign:
            shown.setdefault(mark.sign, f"{mark.text} {words.SIGNS[mark.sign]}")
    return "   ".join(shown[said] for said in words.SIGNS if said in shown)


def owed(scene: Scene) -> str:
    """All that hands still have to do, cell by cell."""
    lines = [
        words.OWED[debt["do"]].format(cell=name(scene, cell), piece=piece(debt.get("to")))
        for cell, debt in scene["owed"].items()
    ]
    lines += [
        words.LIT_WRONG.format(cell=name(scene, cell))
        for cell in scene["cells"]
        if drawn.sign(scene, cell) == "wrong" and cell not in scene["owed"]
    ]
    return "\n".join(lines) or words.NOTHING_OWED


def moves(scene: Scene) -> str:
    """Where one may play, as far as the lights show it."""
    cells = [name(scene, cell) for cell in scene["cells"] if drawn.sign(scene, cell) == "hint"]
    return words.MAY.format(cells=", ".join(cells)) if cells else words.NO_HINTS


def record(scene: Scene) -> str:
    """The moves that stand, with passes: `1 Black D3, 2 White pass`."""
    titles = _titles(scene)
    plies = [f"{ply['ply']} {titles[ply['player']]} {label(scene, ply['label'])}" for ply in standing(scene)]
    return ", ".join(plies) + "." if plies else words.NO_MOVES


def standing(scene: Scene) -> Sequence[Mapping[str, Any]]:
    """The plies that were not taken back."""
    return [ply for ply in scene["record"] if not ply["undone"]]


def score(scene: Scene) -> str:
    """The score, and what is left to be placed."""
    titles = _titles(scene)
    parts = [f"{titles[player]} {points}" for player, points in scene["score"].items()]
    left = [f"{titles.get(whose, '')} {count} left".strip() for whose, count in scene["supply"].items()]
    return ", ".join(parts + left) + "."


def look(scene: Scene, cell: Cell) -> str:
    """One cell: what lies there and what its light says."""
    lies, said = drawn.lying(scene, cell), drawn.sign(scene, cell)
    light = f", {words.SIGNS[said]}" if said else ""
    return words.ON_CELL.format(cell=name(scene, cell), lies=piece(lies), light=light)


def answers(scene: Scene) -> Sequence[str]:
    """What may be said to the question that is open; nothing where none is."""
    choices: Sequence[str] = scene["ask"]["choices"] if scene["ask"] else []
    return choices


def helped(scene: Scene) -> str:
    """All words there are."""
    hands = words.HELP_SIMULATED if scene["simulated"] else words.HELP_REAL
    return f"{hands}\n{words.HELP_WORDS}"


def now(scene: Scene) -> str:
    """The sentence that matters now, and the answers it waits for."""
    choices = answers(scene)
    return str(scene["say"]) + (f" ({', '.join(choices)})" if choices else "")


QUESTIONS: Mapping[str, Callable[[Scene], str]] = {
    "board": board,
    "owed": owed,
    "moves": moves,
    "record": record,
    "score": score,
    "now": now,
    "help": helped,
}
"""What may be asked by one word."""


def name(scene: Scene, cell: Cell) -> str:
    """The cell as printed on the board."""
    return next((str(each["name"]) for each in scene["game"]["cells"] if each["cell"] == cell), cell)


def label(scene: Scene, move: str) -> str:
    """A move as printed: `D3`, `pass`."""
    return name(scene, move) if move in scene["cells"] else move


def piece(lies: Piece | None) -> str:
    """A piece, or none, in the middle of a sentence."""
    if lies is None:
        return words.EMPTY
    return words.UNKNOWN if lies == drawn.UNKNOWN else lies.replace("_", " ")


def _titles(scene: Scene) -> dict[str, str]:
    return {player["id"]: player["title"] for player in scene["game"]["players"]}
