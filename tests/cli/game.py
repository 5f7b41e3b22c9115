"""A whole game as somebody would type it: each disc, then the turns it obliges, and every pass."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from boardctl.core.model import PASS, Outcome
from boardctl.plugins import found


class Typed(NamedTuple):
    """Lines that play a game, the moves they make, and how it ends."""

    lines: list[str]
    moves: list[str]
    outcome: Outcome | None


def typed(name: str, options: Mapping[str, object], seed: int, plies: int = 1000) -> Typed:
    """A game of random moves by bare cells, to its end or so many plies."""
    draw = random.Random(seed)
    position = found()[name].game(options).starts[0]
    lines: list[str] = []
    moves: list[str] = []
    while position.outcome is None and len(moves) < plies:
        move = draw.choice(sorted(position.moves()))
        moves.append(move.label)
        lines.append(move.label)
        if move.label != PASS:
            lines.append(f"turn {' '.join(change.cell for change in move.dues)}")
        position = position.play(move)
    return Typed(lines, moves, position.outcome)
