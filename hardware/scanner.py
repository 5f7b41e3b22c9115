"""Wired sensors behind the `Sensors` port: scanned as often as hands need it, every change told with its instant.

What scans stands behind `Scanner`: a matrix, one line a cell, or halls behind multiplexers. A fault of a driver is
told as sensors out of reach, never raised; when it works again, everything is read anew.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

from boardctl.core import events
from boardctl.core.events import Event, Lost, Pressed, Reading, Restored, Said, Sampled
from boardctl.core.model import Cell

QUIET_S = 1.0
"""Seconds without a change after which a board is scanned at its idle rate."""
RETRY_S = (0.05, 2.0)
"""Shortest and longest time between two tries to reach sensors again."""
BUTTON_HOLD_S = 0.03
"""Seconds a button of the panel has to be down before it counts."""
REPEATS = 3
"""How often two corners of a rectangle have to change in one scan before a diode is suspected."""


class Seen(NamedTuple):
    """What all sensors see, a bit each in the order of the wiring: pieces, or heads where sides are seen; and tails."""

    pieces: int
    tails: int = 0


class Scanner(Protocol):
    """Something that reads all sensors at once."""

    def scan(self) -> Seen:
        """Read them all. Raises what the driver raises."""
        ...

    def close(self) -> None:
        """Let go of the pins; closing twice does no harm."""
        ...


class Panel(Protocol):
    """Buttons beside the board."""

    def down(self) -> frozenset[str]:
        """The words of the buttons that are held down."""
        ...

    def close(self) -> None:
        """Let go of the pins."""
        ...


class ScanTimes:
    """How long scans take (seconds): the last thousand."""

    def __init__(self) -> None:
        self._taken: deque[float] = deque(maxlen=1000)

    def add(self, seconds: float) -> None:
        """A scan took so long."""
        self._taken.append(seconds)

    @property
    def median(self) -> float:
        """The usual one; 0 before the first."""
        ordered = sorted(self._taken)
        return ordered[len(ordered) // 2] if ordered else 0.0

    @property
    def worst(self) -> float:
        """The longest."""
        return max(self._taken, default=0.0)


class Scanned:
    """The `Sensors` port over a scanner."""

    def __init__(
        self,
        scanner: Scanner,
        kind: events.Sensors,
        sensors: Mapping[Cell, int],
        *,
        rate: float = 100.0,
        idle_rate: float = 20.0,
        panel: Panel | None = None,
        lines: int = 0,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`sensors`: the number of the sensor under every cell; `lines`: columns of a matrix, 0 if it is none."""
        self.cells: Sequence[Cell] = tuple(sensors)
        self.kind: events.Sensors = kind
        self.times = ScanTimes()
        self.fault: str | None = None
        """Why the sensors are out of reach, or None."""
        self._scanner, self._panel, self._stopwatch = scanner, panel, stopwatch
        self._sensors = sensors
        self._period, self._idle = 1 / rate, 1 / max(idle_rate, 1e-9)
        self._seen: Seen | None = Seen(0)
        self._next_at = self._changed_at = float("-inf")
        self._retry = RETRY_S[0]
        self._buttons: dict[str, float] = {}
        self._said: set[str] = set()
        self._ghosts = Ghosts(lines) if lines else None
        self._open = True

    @property
    def findings(self) -> list[str]:
        """What looks wrong with the wiring, each in a sentence."""
        where = {number: cell for cell, number in self._sensors.items()}
        suspects = self._ghosts.suspects if self._ghosts else []
        return [
            f"{where[number].upper()} closes and opens together with another corner of a rectangle. "
            "Look for a missing or reversed diode there."
            for number in suspects
            if number in where
        ]

    def poll(self, now: float) -> list[Event]:
        """What changed since the last poll."""
        return [event for _, event in self.poll_timed(now)]

    def poll_timed(self, now: float) -> list[tuple[float, Event]]:
        """As `poll`, each event with the instant of its scan: this one, or none if the next is not due."""
        if not self._open or now < self._next_at:
            return []
        told = list(self._looked(now))
        if told:
            self._changed_at = now
        if self.fault is None:
            self._next_at = now + (self._period if now - self._changed_at < QUIET_S else self._idle)
        return [(now, event) for event in told]

    def _looked(self, now: float) -> Iterator[Event]:
        before = self._stopwatch()
        try:
            seen = self._scanner.scan()
            down = self._panel.down() if self._panel else frozenset()
        except Exception as fault:  # whatever a driver raises is an event, never the end
            yield from self._lose(fault, now)
            return
        self.times.add(self._stopwatch() - before)
        if self.fault is not None:
            self.fault, self._retry, self._seen = None, RETRY_S[0], seen
            yield Restored()
            yield from self._readings(seen)
        elif seen != self._seen:
            yield from self._changes(seen)
        yield from self._words(down, now)

    def _lose(self, fault: Exception, now: float) -> Iterator[Event]:
        lost_now = self.fault is None
        self.fault = str(fault) or type(fault).__name__
        self._next_at = now + self._retry
        self._retry = min(2 * self._retry, RETRY_S[1])
        if lost_now:
            yield Lost()

    def _changes(self, seen: Seen) -> Iterator[Event]:
        before = self._seen or Seen(0)
        if self._ghosts:
            self._ghosts.look(before.pieces, seen.pieces)
        self._seen = seen
        changed = (before.pieces ^ seen.pieces) | (before.tails ^ seen.tails)
        for cell, number in self._sensors.items():
            if changed >> number & 1:
                yield from self._told(cell, number, seen)

    def _told(self, cell: Cell, number: int, seen: Seen) -> Iterator[Event]:
        if self.kind != "presses":
            yield Sampled(cell, self._reading(number, seen))
        elif seen.pieces >> number & 1:
            yield Pressed(cell)

    def _reading(self, number: int, seen: Seen) -> Reading:
        if seen.tails >> number & 1:
            return "tails"
        if not seen.pieces >> number & 1:
            return "empty"
        return "heads" if self.kind == "polarity" else "piece"

    def _readings(self, seen: Seen) -> Iterator[Event]:
        if self.kind != "presses":
            yield from (Sampled(cell, self._reading(number, seen)) for cell, number in self._sensors.items())

    def _words(self, down: frozenset[str], now: float) -> Iterator[Event]:
        """A word for every button that has been down long enough, once until it is let go."""
        self._buttons = {word: self._buttons.get(word, now) for word in down}
        self._said &= down
        for word, since in sorted(self._buttons.items()):
            if word not in self._said and now - since >= BUTTON_HOLD_S - 1e-9:
                self._said.add(word)
                yield Said(word)

    def snapshot(self) -> list[Event]:
        """A reading of every cell as last scanned, `unknown` while out of reach; nothing from buttons."""
        if self.kind == "presses" or not self._open:
            return []
        if self.fault is not None:
            return [Sampled(cell, "unknown") for cell in self._sensors]
        return list(self._readings(self._seen or Seen(0)))

    def close(self) -> None:
        """Lets go of the board."""
        if self._open:
            self._open = False
            self._scanner.close()
            if self._panel:
                self._panel.close()


class Ghosts:
    """Notices cells that change in the same scan as another corner of a rectangle, again and again.

    Without a diode a closed switch is seen at the fourth corner of any rectangle whose other three are closed. Pieces
    may well lie at four corners; that two corners change within one scan, time after time, no hand does.
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._times: dict[int, int] = {}

    @property
    def suspects(self) -> list[int]:
        """The sensors that did so often enough."""
        return sorted(number for number, times in self._times.items() if times >= REPEATS)

    def look(self, before: int, after: int) -> None:
        """One scan after another."""
        changed = _numbers(before ^ after)
        if not 2 <= len(changed) <= 4:
            return
        closed = before | after
        for one, other in combinations(changed, 2):
            if self._corners(one, other, closed):
                for number in (one, other):
                    self._times[number] = self._times.get(number, 0) + 1

    def _corners(self, one: int, other: int, closed: int) -> bool:
        """Whether two sensors are opposite or neighbouring corners of a rectangle that is all closed."""
        return any({one, other} <= set(corners) for corners in rectangles(closed, self._columns))


def rectangles(closed: int, columns: int) -> list[tuple[int, int, int, int]]:
    """All rectangles whose four corners are closed: sensors by number, in a matrix with so many columns."""
    rows: dict[int, int] = {}
    for number in _numbers(closed):
        rows[number // columns] = rows.get(number // columns, 0) | 1 << number % columns
    found: list[tuple[int, int, int, int]] = []
    for (top, above), (bottom, below) in combinations(sorted(rows.items()), 2):
        for left, right in combinations(_numbers(above & below), 2):
            corners = (
                top * columns + left,
                top * columns + right,
                bottom * columns + left,
                bottom * columns + right,
            )
            found.append(corners)
    return found


def _numbers(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def spread(numbers: Iterable[int]) -> int:
    """The bits with these numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
