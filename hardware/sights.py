"""What sensors of each kind make of the pieces over them, and how they tell it. Pure functions of what lies there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from boardctl.core import events
from boardctl.core.events import Event, Pressed, Reading, Sampled, Tagged
from boardctl.core.model import Cell, Side


class Disc(NamedTuple):
    """A piece as hands and sensors know it: the side that is up, and its tag where it carries one."""

    side: Side
    tag: str = ""

    def turned(self) -> Disc:
        """The same piece, the other side up."""
        return self._replace(side="tails" if self.side == "heads" else "heads")


Stack = tuple[Disc, ...]
"""What lies on a cell, the top last; nearly always one piece or none."""
Tags = tuple[tuple[str, Side], ...]
"""The tags in reach of one reader, sorted, each with the side that is up."""
Sight: TypeAlias = Reading | Tags
"""What a sensor makes of a stack."""

READINGS: Mapping[events.Sensors, Sequence[Reading]] = {
    "presence": ("empty", "piece", "unknown"),
    "polarity": ("empty", "heads", "tails", "unknown"),
    "presses": ("empty", "piece"),
    "tags": ("empty", "unknown"),
}
"""The readings, tags apart, that sensors of each kind can give. A button held down reads `piece`."""


def seen(kind: events.Sensors, stack: Stack) -> Sight:
    """What a sensor of this kind makes of a stack: of its top, or for tags of every piece in it."""
    match kind:
        case "presence" | "presses":
            return "piece" if stack else "empty"
        case "polarity":
            return stack[-1].side if stack else "empty"
        case "tags":
            return tuple(sorted((disc.tag, disc.side) for disc in stack))


def told(kind: events.Sensors, cell: Cell, sight: Sight) -> list[Event]:
    """A sight as a full reading of its cell. Buttons have no reading to give."""
    if kind == "presses":
        return []
    if isinstance(sight, str):
        return [Sampled(cell, sight)]
    return [Tagged(cell, tag, side) for tag, side in sight] or [Sampled(cell, "empty")]


def gone(cell: Cell, before: Sight, after: Sight) -> list[Event]:
    """The tags seen before and no longer; a reader that reads `unknown` has not seen them go."""
    if isinstance(before, str) or isinstance(after, str):
        return []
    return [Tagged(cell, tag, side, gone=True) for tag, side in before if (tag, side) not in after]


def changed(kind: events.Sensors, cell: Cell, before: Sight, after: Sight) -> list[Event]:
    """What a driver tells when a sight has become another; nothing when it has not, or a button was let go."""
    if before == after:
        return []
    if kind == "presses":
        return [Pressed(cell)] if after == "piece" else []
    if isinstance(before, str) or isinstance(after, str):
        return told(kind, cell, after)
    came = tuple(tag for tag in after if tag not in before)
    return gone(cell, before, after) + [Tagged(cell, tag, side) for tag, side in came]
