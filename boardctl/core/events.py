"""What happened at the board: the events that `Session.handle` takes. All are past and none has a time in it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from boardctl.core.model import Cell, Side

Reading = Literal["empty", "piece", "heads", "tails", "unknown"]
"""What a sensor under a cell says. `piece`: something lies there, its side is not seen."""
Sensors = Literal["presence", "polarity", "presses", "tags"]
"""What the sensors of a board can tell."""


class Sampled(NamedTuple):
    """The reading of a cell changed (or is told again; telling it twice changes nothing)."""

    cell: Cell
    sees: Reading


class Tagged(NamedTuple):
    """A tagged piece came to a cell with this side up, or went (`gone`)."""

    cell: Cell
    tag: str
    side: Side
    gone: bool = False


class Pressed(NamedTuple):
    """The button under a cell was pressed."""

    cell: Cell


class Said(NamedTuple):
    """Somebody named something: pass, undo, ok, resign, draw, new, brax, a label, an answer, trust C, distrust C."""

    word: str


class Doubted(NamedTuple):
    """A driver knows that a sensor is not to be believed (`stuck`, `chatter`), or is again (`back`)."""

    cell: Cell
    state: Literal["stuck", "chatter", "back"]


class Lost(NamedTuple):
    """A part of the board is out of reach: `sensors`."""

    what: str = "sensors"


class Restored(NamedTuple):
    """It is back; a reading of every cell follows."""

    what: str = "sensors"


class Elapsed(NamedTuple):
    """Nothing happened, but time went by: what `Session.wake_at` asks for."""


Event: TypeAlias = Sampled | Tagged | Pressed | Said | Doubted | Lost | Restored | Elapsed
