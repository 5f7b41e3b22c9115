"""What the session wants said and shown: the answers of `Session.handle`, and their form in JSON.

Names and keys are fixed by `spec/interface.md`, section 3. A shell carries them out in the order given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from boardctl.core.model import Cell, Piece, Player

Do = Literal["put", "turn", "take", "confirm"]
Why = Literal["set-up", "move", "repair", "undo", "resume"]
Meaning = Literal["wrong", "owed", "choice", "mark", "hint", "last"]


@dataclass(frozen=True, slots=True)
class Debt:
    """What a cell is owed: `put`, `turn` or `confirm` a piece (`to`), or `take` what lies there (`to` is None)."""

    do: Do
    to: Piece | None = None


@dataclass(frozen=True, slots=True)
class Light:
    """One cell's light: what it means; for `owed` the debt; `step`: its place along a line, counted from 1.

    A `hint` has a debt too, which nobody owes: what hands may do there.
    """

    meaning: Meaning
    debt: Debt | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class Owed:
    """All that players still have to do with their hands."""

    why: Why
    cells: Mapping[Cell, Debt]


@dataclass(frozen=True, slots=True)
class Turn:
    """The board is in order and a move is awaited. `supply` as in `Position.supply`."""

    ply: int
    player: Player
    moves: Sequence[str]
    must: Sequence[Cell] | None = None
    supply: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was recognised; its dues may still be owed. `practice`: it is not scored."""

    ply: int
    player: Player
    move: str
    cells: Mapping[Cell, tuple[Piece | None, Piece | None]]
    practice: bool | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """Nothing of that move is owed any more."""

    ply: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """What lies there that no rule allows, cell by cell with a reason, and one sentence about it."""

    cells: Mapping[Cell, str]
    say: str


@dataclass(frozen=True, slots=True)
class Asked:
    """More than one explanation fits: the answers that can be given."""

    choices: Sequence[str]


@dataclass(frozen=True, slots=True)
class Passed:
    """A forced pass was made; `silent`: nobody said so, the next piece or the rules made it."""

    ply: int
    player: Player
    silent: bool | None = None
    practice: bool | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """A player called (`brax`) on pieces standing on these cells."""

    player: Player
    call: str
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Scored:
    """A point was made."""

    player: Player
    shape: str


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round of a match ended; `player` won it, or nobody."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class Undone:
    """That ply is taken back."""

    ply: int
    move: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A placed piece was moved on; it has to go back to `first`."""

    cell: Cell
    first: Cell


@dataclass(frozen=True, slots=True)
class Stood:
    """Turns of that ply, missed or wrongly made, that can no longer be claimed: how the cells stand."""

    ply: int
    cells: Mapping[Cell, Piece]


@dataclass(frozen=True, slots=True)
class Refused:
    """What was said cannot be."""

    say: str
    because: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A player offers to undo or to draw; it waits for the other's `ok`."""

    what: str
    player: Player


@dataclass(frozen=True, slots=True)
class SensorDoubted:
    """A sensor is not to be believed (stuck, chatter, set-aside), or is again (back)."""

    cell: Cell
    state: str


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The sensors are out of reach (`lost`) or back (`restored`)."""

    what: str
    state: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    winner: Player | Sequence[Player] | None
    because: str
    score: Mapping[Player, int]


@dataclass(frozen=True, slots=True)
class Begun:
    """A new game of the same kind begins on this board; the record before it is closed."""

    game: str


@dataclass(frozen=True, slots=True)
class Lit:
    """What the lights show from now on: the whole map."""

    cells: Mapping[Cell, Light]


Command: TypeAlias = (
    Owed
    | Turn
    | Moved
    | Completed
    | Wrong
    | Asked
    | Passed
    | Called
    | Scored
    | RoundEnded
    | Undone
    | Touched
    | Stood
    | Refused
    | Offered
    | SensorDoubted
    | LinkChanged
    | Ended
    | Begun
    | Lit
)

NAMES: Mapping[type, str] = {
    Owed: "owed",
    Turn: "turn",
    Moved: "move",
    Completed: "complete",
    Wrong: "wrong",
    Asked: "ask",
    Passed: "pass",
    Called: "call",
    Scored: "point",
    RoundEnded: "round",
    Undone: "undo",
    Touched: "touch",
    Stood: "stands",
    Refused: "refused",
    Offered: "offer",
    SensorDoubted: "sensor",
    LinkChanged: "link",
    Ended: "over",
    Begun: "new",
    Lit: "lights",
}
"""The event's name in JSON."""

_KEYS = {kind: tuple(field.name for field in fields(kind)) for kind in NAMES}
_MAY_LACK = {"must", "supply", "practice", "silent"}


def told(command: Command, t: float) -> dict[str, object]:
    """The command as one JSON object: `t` (seconds), `event`, then its keys."""
    said: dict[str, object] = {"t": t, "event": NAMES[type(command)]}
    match command:
        case Owed():
            said["why"] = command.why
            said["cells"] = {cell: told_debt(debt) for cell, debt in command.cells.items()}
        case Lit():
            said["cells"] = {cell: light.meaning for cell, light in command.cells.items()}
        case _:
            for key in _KEYS[type(command)]:
                value = getattr(command, key)
                if value is not None or key not in _MAY_LACK:
                    said[key] = value
    return said


def told_debt(debt: Debt) -> dict[str, str]:
    """A debt as JSON: `do`, and `to` where a piece is meant."""
    return {"do": debt.do} if debt.to is None else {"do": debt.do, "to": debt.to}
