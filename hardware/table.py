"""A simulated table: a working board with hands, behind the same seam as a real one.

Hands are told what to do and when; from then on `truth` is what will lie there once they have done it. What sensors
see of it comes scan by scan from `contacts`, with the troubles asked for. On a board of buttons the discs move all
the same, and each hand presses the cells it works on. One hand works on a cell at a time: what it is told meanwhile
is done after that. All times are in seconds. Not for several threads at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from random import Random
from typing import Literal, NamedTuple

from boardctl.core import events
from boardctl.core.events import Doubted, Event, Lost, Reading, Restored
from boardctl.core.model import Cell, Side
from hardware.contacts import Contacts, Troubles
from hardware.paths import Points, route
from hardware.sights import READINGS, Disc, Stack

TURN_S = 0.15
"""Seconds a disc is off its cell while it is turned over."""
PRESS_S = 0.08
"""Seconds a finger rests on a button, and seconds before it presses the same one again."""
HOP_S = 0.12
"""Seconds a sliding piece takes from one cell to the next."""
OVERLAP_S = 0.03
"""Seconds for which a sliding piece is seen on two cells at once."""
CARRY_S = 0.4
"""Seconds a piece is in the air on its way to another cell, or back to its own."""
KNOCK_S = 0.3
"""Seconds within which the discs of a knocked board leave; those that land do so as soon again."""

REMEMBERED_S = 4.0
"""Seconds after which a finger presses the cell once more that a piece in the hand was lifted from."""

_FINGER: Stack = (Disc("heads"),)


class Lifted(NamedTuple):
    """A piece off the board: which, the cell it was on last (None: none yet), and since when (seconds)."""

    disc: Disc
    cell: Cell | None
    at: float


class UnknownCell(LookupError):
    """A cell that this board does not have."""


class NothingThere(LookupError):
    """A hand was told to take a piece from a cell on which none lies."""


class NoPath(ValueError):
    """A hand was told to take a piece from a cell to the same cell, or along fewer than two."""


class NoButtons(ValueError):
    """A hand was told to press a button on a board that has none."""


class ImpossibleReading(ValueError):
    """A reading that sensors of this kind cannot give."""


class Table:
    """A board, the discs on it and the hands over it; to the program it is just its `Sensors`.

    Every hand raises `UnknownCell` for a cell that is not on the board, `NothingThere` for one that has nothing to
    take.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        kind: events.Sensors,
        *,
        points: Points | None = None,
        rate: float = 100.0,
        hold: float = 0.03,
        seed: int = 0,
    ) -> None:
        """An empty board of `cells` in reading order, without any trouble.

        `points`: where the cells lie, for slides (one unit a cell). `rate`: scans a second. `hold`: seconds a
        reading has to stand before the program believes it; nudges and blinks go by it. `seed`: the same seed and
        the same hands give the same events.
        """
        self.cells: Sequence[Cell] = tuple(cells)
        self.kind: events.Sensors = kind
        self._points: Points = points or {}
        self._hold = hold
        self._chance = Random(f"table {seed}")
        self._contacts = Contacts(cells, kind, rate=rate, hold=hold, seed=seed)
        self._stacks: dict[Cell, Stack] = dict.fromkeys(self.cells, ())
        self._free: dict[Cell, float] = dict.fromkeys(self.cells, -inf)
        self._off: list[Lifted] = []
        self._tags = 0
        self._open = True

    def poll(self, now: float) -> list[Event]:
        """What the scans since the last poll saw change, in order of time."""
        return [event for _, event in self.poll_timed(now)]

    def poll_timed(self, now: float) -> list[tuple[float, Event]]:
        """As `poll`, each event with the instant of its scan."""
        return self._contacts.scan(now) if self._open else []

    def snapshot(self) -> list[Event]:
        """A reading of every cell as last scanned; `unknown` while the cable is out; nothing from buttons."""
        return self._contacts.readings() if self._open else []

    def close(self) -> None:
        """Nothing is reported from now on."""
        self._open = False

    def truth(self) -> dict[Cell, Side]:
        """The side that shows on every cell with a piece, once the hands have done what they were told."""
        return {cell: stack[-1].side for cell, stack in self._stacks.items() if stack}

    def stacks(self) -> dict[Cell, Stack]:
        """Every piece on the board with its tag, cell by cell, the top one last."""
        return {cell: stack for cell, stack in self._stacks.items() if stack}

    def off(self) -> Sequence[Lifted]:
        """The pieces with a tag that are beside the board, the one lifted last at the end."""
        return tuple(self._off)

    def bring(self, discs: Sequence[Disc], now: float) -> None:
        """Has these pieces, each with a tag, ready beside the board."""
        self._off += [Lifted(disc, None, now) for disc in discs]

    @property
    def rests_at(self) -> float:
        """When the hands will have done all they were told so far; a scan after that sees the truth."""
        return max(self._free.values()) + self._contacts.troubles.bounce

    def put(self, cell: Cell, side: Side, now: float, tag: str = "") -> None:
        """Puts a piece on a cell, on top of what lies there. On a board of tags a new one, unless told which."""
        when = self._ready(now, cell)
        self._come(cell, self._piece(side, tag), when)
        self._press(cell, when)

    def lift(self, cell: Cell, now: float) -> Disc:
        """Takes the top piece off a cell and answers it."""
        when = self._ready(now, cell)
        _, disc = self._taken(cell)
        self._leave(cell, when)
        self._press(cell, when)
        return disc

    def in_hand(self, cell: Cell) -> Lifted:
        """The piece lifted last from a cell, and still off the board."""
        lifted = (each for each in reversed(self._off) if each.cell == self._known(cell))
        if (last := next(lifted, None)) is None:
            raise NothingThere(f"{cell}: no piece was lifted here")
        return last

    def set_down(self, start: Cell, end: Cell, now: float) -> None:
        """Puts the piece lifted from one cell before on another, or back on the same."""
        when = self._ready(now, start, end)
        disc, when = self._held(start, when)
        self._come(end, disc, when)
        self._press(end, when)

    def take(self, start: Cell, end: Cell, now: float) -> None:
        """Captures: what stands on `end` leaves the board, and the piece of `start` comes there.

        That one comes from the board, or out of the hand if it was lifted from `start` before. Raises `NoPath` where
        both are one cell.
        """
        when = self._ready(now, start, end)
        self._two(start, end)
        self._taken(end)
        disc, when = self._fetched(start, when)
        self._leave(end, when + TURN_S)
        self._come(end, disc, when + CARRY_S)
        self._press(end, when + CARRY_S)

    def exchange(self, one: Cell, other: Cell, now: float) -> None:
        """Has two pieces change places; either may be in the hand already. Raises `NoPath` for one cell twice."""
        when = self._ready(now, one, other)
        self._two(one, other)
        for cell in (one, other):
            self._there(cell)
        first, when = self._fetched(one, when)
        second, when = self._fetched(other, when + TURN_S)
        self._come(other, first, when + CARRY_S)
        self._come(one, second, when + CARRY_S + TURN_S)

    def turn(self, cell: Cell, now: float) -> None:
        """Turns the top piece over: off for a moment, then back with its other side up."""
        when = self._ready(now, cell)
        below, disc = self._taken(cell)
        self._off_and_on(cell, (*below, disc.turned()), when, TURN_S)
        self._press(cell, when)

    def adjust(self, cell: Cell, now: float, seconds: float = CARRY_S) -> None:
        """Lifts the top piece and puts it back as it was. Buttons do not see it."""
        when = self._ready(now, cell)
        below, disc = self._taken(cell)
        self._off_and_on(cell, (*below, disc), when, seconds)

    def nudge(self, cell: Cell, now: float) -> None:
        """Bumps the top piece, so that its contact opens for about a hold, shorter or longer."""
        self.adjust(cell, now, (self._hold or OVERLAP_S) * self._chance.uniform(0.3, 2.0))

    def carry(self, start: Cell, end: Cell, now: float) -> None:
        """Lifts the top piece and puts it on another cell, as it was, through the air."""
        when = self._ready(now, start, end)
        below, disc = self._taken(start)
        self._lie(start, below, when)
        self._lie(end, (*self._stacks[end], disc), when + CARRY_S)
        self._press(start, when)
        self._press(end, when + CARRY_S)

    def slide(self, path: Sequence[Cell], now: float) -> None:
        """Pushes the top piece of the first cell to the last, over the cells of the path and those between them.

        It is seen on every empty cell it passes, for a moment on two. Raises `NoPath` for fewer than two cells.
        """
        cells = route([self._known(cell) for cell in path], self._points)
        if len(cells) < 2:
            raise NoPath(f"{list(path)}: a piece slides from one cell to another")
        start, *passed, end = cells
        when = self._ready(now, start, *passed, end)
        below, disc = self._taken(start)
        there = when + (len(passed) + 1) * HOP_S
        self._lie(start, below, when + HOP_S + OVERLAP_S)
        for hop, cell in enumerate(passed, 1):
            self._pass_over(cell, disc, when + hop * HOP_S)
        self._lie(end, (*self._stacks[end], disc), there)
        self._press(start, when)
        self._press(end, there)

    def press(self, cell: Cell, now: float) -> None:
        """Presses the button under a cell and moves nothing. Raises `NoButtons` on any other board."""
        if self.kind != "presses":
            raise NoButtons(f"{cell}: this board has sensors for {self.kind}, no buttons")
        self._press(cell, self._ready(now, cell))

    def lay(self, pieces: Mapping[Cell, Side], now: float, tags: Mapping[Cell, str] | None = None) -> None:
        """Lays these pieces out, each instead of what lies on its cell; one that shows that side already stays.

        `tags`: which pieces they are; then one that lies there stays only if it is the one.
        """
        wanted = {cell: Disc(side, (tags or {}).get(cell, "")) for cell, side in pieces.items()}
        changing = {cell: disc for cell, disc in wanted.items() if not self._shows(cell, disc)}
        before = {cell: [disc.side for disc in self._stacks[cell]] for cell in changing}
        since = {cell: self._cleared(cell, now) for cell in changing}
        for cell, disc in changing.items():
            self._come(cell, self._piece(*disc), since[cell])
            if before[cell] != [disc.side]:
                self._press(cell, since[cell])

    def _shows(self, cell: Cell, disc: Disc) -> bool:
        """Whether this piece, or if it has no tag one like it, is all that lies on a cell."""
        stack = self._stacks[self._known(cell)]
        return [each._replace(tag=disc.tag and each.tag) for each in stack] == [disc]

    def _cleared(self, cell: Cell, now: float) -> float:
        """Takes off all that lies on a cell; answers when another piece can come."""
        when = self._ready(now, cell)
        if not self._stacks[cell]:
            return when
        while self._stacks[cell]:
            self._leave(cell, when)
        return when + TURN_S

    def clear(self, now: float) -> None:
        """Takes every piece off the board."""
        for cell in self.truth():
            when = self._ready(now, cell)
            self._cleared(cell, when)
            self._press(cell, when)

    def knock(self, now: float, hit: int | Collection[Cell]) -> None:
        """Knocks pieces over, these or so many: one in two flies off the board, the others land anywhere."""
        cells = self._chance.sample(sorted(self.truth()), hit) if isinstance(hit, int) else sorted(hit)
        flying = [self._knocked(cell, now) for cell in cells]
        for disc, left in flying:
            if self._chance.random() < 0.5:
                cell = self._chance.choice(self.cells)
                landed = max(left + self._chance.uniform(0.1, KNOCK_S), self._free[cell])
                self._come(cell, disc, landed)

    def trouble(self, troubles: Troubles, now: float) -> None:
        """Makes all contacts as good or bad as this."""
        self._contacts.trouble(troubles, now)

    def stuck(self, cell: Cell, reading: Reading, now: float) -> None:
        """Has the sensor of a cell read this whatever lies there. Raises `ImpossibleReading`."""
        if reading not in READINGS[self.kind]:
            raise ImpossibleReading(f"{cell}: sensors for {self.kind} read {', '.join(READINGS[self.kind])}")
        sight = () if self.kind == "tags" and reading == "empty" else reading
        self._contacts.stick(self._known(cell), sight, now)

    def chattering(self, cell: Cell, now: float) -> None:
        """Has the contact of a cell change by itself, often enough to be noticed."""
        self._contacts.chatter(self._known(cell), now)

    def healed(self, cell: Cell, now: float) -> None:
        """Has a stuck or chattering sensor work again."""
        self._contacts.heal(self._known(cell), now)

    def doubt(self, cell: Cell, state: Literal["stuck", "chatter", "back"], now: float) -> None:
        """Has the driver say that a sensor is not to be believed, or is again; of itself this one never does."""
        self._contacts.at(now, Doubted(self._known(cell), state))

    def lost(self, now: float) -> None:
        """Pulls the cable: `Lost`, then nothing. The hands go on."""
        self._contacts.at(now, Lost())

    def restored(self, now: float) -> None:
        """Plugs it in again: `Restored`, then a reading of every cell."""
        self._contacts.at(now, Restored())

    def _known(self, cell: Cell) -> Cell:
        if cell not in self._free:
            raise UnknownCell(f"{cell}: this board has {self.cells[0]} to {self.cells[-1]}")
        return cell

    def _ready(self, now: float, *cells: Cell) -> float:
        """When a hand told now can begin: once no other works on these cells."""
        return max(now, *(self._free[self._known(cell)] for cell in cells))

    def _taken(self, cell: Cell) -> tuple[Stack, Disc]:
        """What stays when the top piece is taken, and the piece."""
        stack = self._stacks[cell]
        if not stack:
            raise NothingThere(f"{cell}: no piece lies here")
        return stack[:-1], stack[-1]

    def _two(self, one: Cell, other: Cell) -> None:
        if one == other:
            raise NoPath(f"{one}: a piece goes from one cell to another")

    def _there(self, cell: Cell) -> Disc:
        """The top piece of a cell, or the one in the hand that was lifted there."""
        return self._stacks[cell][-1] if self._stacks[cell] else self.in_hand(cell).disc

    def _fetched(self, cell: Cell, when: float) -> tuple[Disc, float]:
        """Has a hand take the piece of a cell, unless it has it already; answers when it has it."""
        if not self._stacks[cell]:
            return self._held(cell, when)
        disc = self._there(cell)
        self._leave(cell, when)
        self._press(cell, when)
        return disc, when

    def _held(self, cell: Cell, when: float) -> tuple[Disc, float]:
        """The piece in the hand; its cell is pressed again if it was lifted so long ago that this is forgotten."""
        lifted = self.in_hand(cell)
        if self.kind != "presses" or when - lifted.at < REMEMBERED_S:
            return lifted.disc, when
        self._press(cell, when)
        return lifted.disc, when + 2 * PRESS_S

    def _leave(self, cell: Cell, when: float) -> None:
        """The top piece leaves a cell for the side of the board."""
        below, disc = self._taken(cell)
        if disc.tag:
            self._off.append(Lifted(disc, cell, when))
        self._lie(cell, below, when)

    def _come(self, cell: Cell, disc: Disc, when: float) -> None:
        """A piece comes on top of what lies on a cell."""
        self._off = [each for each in self._off if each.disc.tag != disc.tag]
        self._lie(cell, (*self._stacks[cell], disc), when)

    def _piece(self, side: Side, tag: str) -> Disc:
        if self.kind != "tags" or tag:
            return Disc(side, tag)
        self._tags += 1
        return Disc(side, f"t{self._tags:02d}")

    def _lie(self, cell: Cell, stack: Stack, when: float) -> None:
        self._stacks[cell] = stack
        self._free[cell] = when
        if self.kind != "presses":
            self._contacts.lie(cell, stack, when)

    def _off_and_on(self, cell: Cell, after: Stack, when: float, seconds: float) -> None:
        """The top piece leaves for a while; then `after` lies there."""
        self._stacks[cell] = after
        self._free[cell] = when + seconds
        if self.kind != "presses":
            self._contacts.pass_over(cell, after[:-1], after, when, when + seconds)

    def _pass_over(self, cell: Cell, disc: Disc, when: float) -> None:
        """A sliding piece comes and goes; where another lies, its sensor sees only that one."""
        away = when + HOP_S + OVERLAP_S
        self._free[cell] = away
        if self.kind != "presses" and not self._stacks[cell]:
            self._contacts.pass_over(cell, (disc,), (), when, away)

    def _press(self, cell: Cell, when: float) -> None:
        """On a board of buttons a finger presses this one; on others it finds none."""
        if self.kind == "presses":
            self._free[cell] = when + 2 * PRESS_S
            self._contacts.pass_over(cell, _FINGER, (), when, when + PRESS_S)

    def _knocked(self, cell: Cell, now: float) -> tuple[Disc, float]:
        """The piece that is knocked off a cell, any side up, and when it leaves."""
        left = self._ready(now, cell) + self._chance.uniform(0, KNOCK_S)
        _, disc = self._taken(cell)
        self._leave(cell, left)
        return (disc if self._chance.random() < 0.5 else disc.turned()), left
