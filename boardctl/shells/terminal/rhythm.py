"""How the signs on the board come and go, and in what colour: out of the same legend as LEDs and page."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import Any

from boardctl.core.model import Cell, Piece
from boardctl.shells.terminal.desk import Scene
from boardctl.shells.terminal.drawn import sign

_LIT = 0.5
"""From this part of full strength on a light is shown as lit; one that glides, from half its way on."""


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
