"""Readings that have stood long enough to count, and contacts that never come to rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from boardctl.core.model import Cell

R = TypeVar("R", bound=Hashable)

CHATTER_CHANGES = 8
"""More counted changes of one cell than this within `CHATTER_SECONDS`, no other changing, is chatter."""
CHATTER_SECONDS = 2.0
CHATTER_QUIET = 10.0
"""Seconds of quiet after which a chattering cell is believed again."""
SAME_PRESS = 0.05
"""Two presses of one button within this many seconds are one."""

SOON = 1e-9
"""Seconds: what two sums of the same times may differ by."""


class Counted(NamedTuple, Generic[R]):
    """A reading that counts, and since when (seconds)."""

    at: float
    cell: Cell
    reading: R


class Debouncer(Generic[R]):
    """Lets a reading count when it has stood `hold` seconds; what comes and goes sooner never existed."""

    def __init__(self, hold: float) -> None:
        self._hold = hold
        self._counted: dict[Cell, R] = {}
        self._pending: dict[Cell, tuple[float, R]] = {}

    def sample(self, cell: Cell, reading: R, at: float) -> None:
        """A cell reads so from `at` on."""
        pending = self._pending.get(cell)
        if pending is not None and pending[1] == reading:
            return
        self._pending.pop(cell, None)
        if self._counted.get(cell) != reading:
            self._pending[cell] = (at, reading)

    def assume(self, cell: Cell, reading: R) -> None:
        """Take a reading as counted, without a change."""
        self._counted[cell] = reading

    def counted(self, cell: Cell) -> R | None:
        """The reading that counts now."""
        return self._counted.get(cell)

    def forget(self) -> None:
        """Drop all that has not counted yet: the sensors are out of reach."""
        self._pending.clear()

    @property
    def wake_at(self) -> float | None:
        """When the next reading will count, if it stands."""
        for at, _ in self._pending.values():  # in the order they began, so the first is the next
            return at + self._hold
        return None

    def take(self, now: float) -> list[Counted[R]]:
        """All readings that count by `now`, in the order they began to stand."""
        taken: list[Counted[R]] = []
        for cell, (at, reading) in list(self._pending.items()):
            if at + self._hold > now + SOON:
                break
            del self._pending[cell]
            self._counted[cell] = reading
            taken.append(Counted(at + self._hold, cell, reading))
        return taken


class Chatter:
    """Notices the one cell that keeps changing while all others are quiet."""

    def __init__(self) -> None:
        self._cell: Cell | None = None
        self._times: deque[float] = deque()

    def changed(self, cell: Cell, at: float) -> bool:
        """Whether this counted change makes the cell a chattering one."""
        if cell != self._cell:
            self._cell = cell
            self._times.clear()
        self._times.append(at)
        while at - self._times[0] > CHATTER_SECONDS:
            self._times.popleft()
        return len(self._times) > CHATTER_CHANGES
