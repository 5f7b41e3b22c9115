"""What simulated sensors see, scan by scan: contacts that change at known times, and the troubles real ones have.

Discs come and go on a schedule that hands write. A scan sees each contact as it is at that instant, as a scanned
matrix does. Between two changes nothing can differ, so only the scans after a change are worked out: the answers
are those of scanning at every instant, and a quiet board costs nothing.

Hands and noise draw from two generators of their own, noise in order of time: the same seed and the same hands
give the same events, however often they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil, floor, inf
from random import Random
from typing import NamedTuple, TypeAlias

from boardctl.core import events
from boardctl.core.events import Doubted, Event, Lost, Restored
from boardctl.core.model import Cell, Side
from hardware.sights import Disc, Sight, Stack, changed, gone, seen, told

SHORT_S = 0.2
"""A change of a contact that lasts less than this may be missed."""
CHATTER_S = (0.04, 0.12)
"""Shortest and longest time between two changes of a chattering contact: long enough to count."""
CATCH_UP_S = 5.0
"""When a poll comes late, noise further back than this is left out."""
_TINY = 1e-6
"""Parts of a scan that rounding may cost."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """What is not ideal about all contacts. The default: nothing."""

    bounce: float = 0.0
    """Seconds of chatter whenever a contact changes; 0.001 to 0.005 on real ones."""
    missed: float = 0.0
    """How likely a change that lasts less than 0.2 s is not seen at all, 0 to 1."""
    blinks: float = 0.0
    """How often a minute some cell reads wrong for less than a hold. Not on buttons, which have none."""


class Lies(NamedTuple):
    """From now on this is over the sensor of a cell."""

    cell: Cell
    stack: Stack


class Seems(NamedTuple):
    """From now on the sensor sees this instead of what lies there (None: what lies there)."""

    cell: Cell
    stack: Stack | None


class Stuck(NamedTuple):
    """From now on the sensor reads this whatever happens."""

    cell: Cell
    sight: Sight


class Chatters(NamedTuple):
    """The contact of a cell changes by itself, and will again while this run of it lasts."""

    cell: Cell
    run: int


class Healed(NamedTuple):
    """The sensor of a cell works from now on."""

    cell: Cell


class Blinks(NamedTuple):
    """Some cell reads wrong for an instant, and another will later."""


Happening: TypeAlias = Lies | Seems | Stuck | Chatters | Healed | Blinks
Report: TypeAlias = Doubted | Lost | Restored


class Contacts:
    """The scanned sensors of a board. Times are in seconds; what is told for the past is seen by the next scan."""

    def __init__(
        self, cells: Sequence[Cell], kind: events.Sensors, *, rate: float, hold: float, seed: int
    ) -> None:
        """`rate`: scans a second. `hold`: seconds that no blink may be seen to last."""
        self.cells = tuple(cells)
        self.kind = kind
        self.troubles = Troubles()
        self._rate = rate
        self._longest_blink = hold - 1 / rate
        self._hands, self._noise = Random(f"hands {seed}"), Random(f"noise {seed}")
        self._order = {cell: n for n, cell in enumerate(self.cells)}
        self._coming: list[tuple[float, int, Happening | Report]] = []
        self._count = 0
        self._scan = -inf
        self._lies: dict[Cell, Stack] = dict.fromkeys(self.cells, ())
        self._planned = dict(self._lies)
        self._seems: dict[Cell, Stack] = {}
        self._stuck: dict[Cell, Sight] = {}
        self._chattering: dict[Cell, int] = {}
        self._blinking = False
        self._reached = True
        self._told: dict[Cell, Sight] = dict.fromkeys(self.cells, seen(kind, ()))

    def at(self, when: float, happening: Happening | Report) -> None:
        """Has something happen at that time; things of the same time happen in the order told."""
        self._count += 1
        heappush(self._coming, (when, self._count, happening))

    def lie(self, cell: Cell, stack: Stack, when: float) -> None:
        """Has this lie over a sensor from then on; the contact bounces first if it is one that does."""
        before, self._planned[cell] = self._planned[cell], stack
        self.at(when, Lies(cell, stack))
        if self.troubles.bounce:
            edges = sorted(when + self.troubles.bounce * self._hands.random() for _ in range(4))
            for edge, seems in zip(edges, (before, None, before, None), strict=True):
                self.at(edge, Seems(cell, seems))

    def pass_over(self, cell: Cell, meanwhile: Stack, after: Stack, when: float, until: float) -> None:
        """Has `meanwhile` lie over a sensor, and `after` from `until` on. A short meanwhile may be missed."""
        if until - when >= SHORT_S or self._hands.random() >= self.troubles.missed:
            self.lie(cell, meanwhile, when)
        self.lie(cell, after, until)

    def trouble(self, troubles: Troubles, now: float) -> None:
        """Makes all contacts as good or bad as this."""
        self.troubles = troubles
        if self._can_blink() and not self._blinking:
            self._blinking = True
            self.at(now + self._pause(), Blinks())

    def _can_blink(self) -> bool:
        return self.kind != "presses" and self._longest_blink > 0 and self.troubles.blinks > 0

    def _pause(self) -> float:
        """Seconds to the next blink: after this one has been seen to end, lest two make one that counts."""
        return max(self._noise.expovariate(self.troubles.blinks / 60), self._longest_blink + 2 / self._rate)

    def scan(self, now: float) -> list[tuple[float, Event]]:
        """What the scans since the last call saw change, each with its instant."""
        last = floor(now * self._rate + _TINY)
        news: list[tuple[float, Event]] = []
        while self._coming and self._scan < last and (due := self._due()) <= last:
            self._scan = max(due, self._scan + 1)
            news += self._scanned(self._scan / self._rate, now - CATCH_UP_S)
        self._scan = max(self._scan, last)
        return news

    def _due(self) -> int:
        """The first scan after the next thing to happen."""
        return ceil(self._coming[0][0] * self._rate - _TINY)

    def _scanned(self, instant: float, horizon: float) -> list[tuple[float, Event]]:
        """Has all happen that is due by this scan, then looks at the cells concerned."""
        touched: set[Cell] = set()
        news: list[Event] = []
        while self._coming and self._due() <= self._scan:
            when, _, happening = heappop(self._coming)
            if isinstance(happening, (Doubted, Lost, Restored)):
                news += self._reported(happening)
            else:
                touched.add(self._happen(happening, when, horizon))
        return [(instant, event) for event in news + self._looked(touched)]

    def _happen(self, happening: Happening, when: float, horizon: float) -> Cell:
        """Carries out one thing and answers the cell it concerns."""
        match happening:
            case Lies(cell, stack):
                self._lies[cell] = stack
            case Seems(cell, instead):
                self._seem(cell, instead)
            case Stuck(cell, sight):
                self._stuck[cell] = sight
            case Healed(cell):
                self._stuck.pop(cell, None)
                self._seems.pop(cell, None)
            case Chatters(cell, run):
                self._chatter(cell, run, max(when, horizon))
            case Blinks():
                cell = self._noise.choice(self.cells)
                self._blink(cell, max(when, horizon))
        return cell

    def _seem(self, cell: Cell, instead: Stack | None) -> None:
        if instead is None:
            self._seems.pop(cell, None)
        else:
            self._seems[cell] = instead

    def _chatter(self, cell: Cell, run: int, when: float) -> None:
        if self._chattering.get(cell) == run:
            self._seem(cell, None if cell in self._seems else self._mistaken(cell))
            self.at(when + self._noise.uniform(*CHATTER_S), Chatters(cell, run))

    def _blink(self, cell: Cell, when: float) -> None:
        self._blinking = self._can_blink()
        if self._blinking:
            self.at(when, Seems(cell, self._mistaken(cell)))
            self.at(when + self._longest_blink * self._noise.uniform(0.2, 1.0), Seems(cell, None))
            self.at(when + self._pause(), Blinks())

    def _mistaken(self, cell: Cell) -> Stack:
        """What a sensor may take a cell for: full for empty, empty for full. No reader makes up a tag."""
        side: Side = "heads" if self._noise.random() < 0.5 else "tails"
        return () if self._lies[cell] or self.kind == "tags" else (Disc(side),)

    def _reported(self, report: Report) -> list[Event]:
        """What a driver tells of itself; nothing it has told already, and nothing while out of reach."""
        match report:
            case Doubted():
                return [report] if self._reached else []
            case Lost():
                before, self._reached = self._reached, False
                return [report] if before else []
            case Restored():
                before, self._reached = self._reached, True
                return [] if before else [report, *self._everything()]

    def _looked(self, touched: set[Cell]) -> list[Event]:
        """The changes that a look at these cells shows, in reading order."""
        if not self._reached:
            return []
        news: list[Event] = []
        for cell in sorted(touched, key=self._order.__getitem__):
            before, after = self._told[cell], self._sight(cell)
            self._told[cell] = after
            news += changed(self.kind, cell, before, after)
        return news

    def _sight(self, cell: Cell) -> Sight:
        if cell in self._stuck:
            return self._stuck[cell]
        return seen(self.kind, self._seems.get(cell, self._lies[cell]))

    def _everything(self) -> list[Event]:
        """A reading of every cell, after the tags that went unseen."""
        before, self._told = self._told, {cell: self._sight(cell) for cell in self.cells}
        news = [event for cell, now in self._told.items() for event in gone(cell, before[cell], now)]
        return news + self.readings()

    def stick(self, cell: Cell, sight: Sight, when: float) -> None:
        """Has a sensor read this from then on, whatever happens."""
        self.at(when, Stuck(cell, sight))

    def chatter(self, cell: Cell, when: float) -> None:
        """Has a contact change by itself from then on."""
        self._chattering[cell] = self._count
        self.at(when, Chatters(cell, self._count))

    def heal(self, cell: Cell, when: float) -> None:
        """Has a sensor work again from then on."""
        self._chattering.pop(cell, None)
        self.at(when, Healed(cell))

    def readings(self) -> list[Event]:
        """Every cell as last scanned; unknown while out of reach."""
        return [
            event
            for cell, sight in self._told.items()
            for event in told(self.kind, cell, sight if self._reached else "unknown")
        ]
