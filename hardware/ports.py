"""The two seams between the board and the program: what sensors report and what lights are told.

The simulated table, the drivers of a Pi and the link to a microcontroller all stand behind these two. `now`
is in seconds on any clock that never goes back; nothing behind a seam reads a clock of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from boardctl.core import events
from boardctl.core.commands import Light
from boardctl.core.model import Cell


class Sensors(Protocol):
    """The sensors under a board: they report changes, never what a change means."""

    @property
    def kind(self) -> events.Sensors:
        """What these sensors can tell: presence, polarity, presses or tags."""
        ...

    @property
    def cells(self) -> Sequence[Cell]:
        """Every cell that has a sensor, in reading order."""
        ...

    def poll(self, now: float) -> Sequence[events.Event]:
        """What changed since the last poll, in order of time; nothing, nearly always. Never blocks for long.

        Only `Sampled`, `Tagged`, `Pressed`, `Doubted`, `Lost`, `Restored`, and `Said` where buttons beside the
        board say a word. A new board is taken to be empty, so the first poll tells what lies there. After
        `Restored` a full set of readings follows in the same answer.
        """
        ...

    def poll_timed(self, now: float) -> Sequence[tuple[float, events.Event]]:
        """As `poll`, each event with the instant of its scan (seconds, not after `now`).

        A driver that scans when it is asked answers `now` for all; one that scans by itself knows better, and
        nothing is late because somebody looked late.
        """
        ...

    def snapshot(self) -> Sequence[events.Event]:
        """A reading of every cell as last scanned, `unknown` while out of reach. Buttons have none."""
        ...

    def close(self) -> None:
        """Lets go of the board; closing twice does no harm. Nothing is reported afterwards."""
        ...


class Lights(Protocol):
    """The lights under a board: they are told what each cell means and know how that looks."""

    def show(self, frame: Mapping[Cell, Light], now: float) -> None:
        """Shows these lights and no others from `now` on; a cell without a light of its own is passed over.

        The same frame again lets its rhythms go on: call it some 30 times a second where pixels are painted.
        """
        ...

    def close(self) -> None:
        """Leaves every light dark; closing twice does no harm."""
        ...
