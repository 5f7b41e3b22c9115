"""Wired sensors behind the `Sensors` port: scanned as often as hands need it, every change told with its instant.

What scans stands behind `Scanner`: a matrix, one line a cell, or halls behind multiplexers. A fault of a driver is
told as sensors out of reach, never raised; when it works again, everything is read anew. Sensors that are not to be
believed are told as such, each once, and keep silent until they are.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Literal, NamedTuple, Protocol, Self

from boardctl.core import events
from boardctl.core.events import Doubted, Event, Lost, Pressed, Reading, Restored, Said, Sampled
from boardctl.core.model import Cell
from hardware.doubts import Doubts
from hardware.ghosts import Ghosts, Suspect, numbers, rectangles, spread, told_apart
from hardware.lines import Line, Lines, whole

QUIET_S = 1.0
"""Seconds without a change after which a board is scanned at its idle rate."""
RETRY_S = (0.05, 2.0)
"""Shortest and longest time between two tries to reach sensors again."""
BUTTON_HOLD_S = 0.03
"""Seconds a button of the panel has to be down before it counts."""
SOON = 1e-9
"""Seconds: what two sums of the same times may differ by."""
BUSY = 0.5
"""The part of its time that scanning may take: where scans take longer, there are fewer."""
CALM_S = 1.0
"""Seconds without a fault after which a sensor in doubt is believed again: a loose wire comes and goes."""
MEASURED = 100
"""Scans between two looks at how long they take."""


class Seen(NamedTuple):
    """What all sensors see, a bit each in the order of the wiring."""

    pieces: int
    """Pieces; or heads, where sides are seen."""
    tails: int = 0
    broken: int = 0
    """Sensors that read what no piece could make them read."""


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
        """Let go of the pins; closing twice does no harm."""
        ...


class Wiring(NamedTuple):
    """How sensors are connected: what is needed to notice faults and to name the place."""

    lines: Sequence[Line] = ()
    columns: int = 0
    """Columns of a matrix; 0 where there is none."""
    diodes: bool = True


class ScanTimes:
    """How long scans take (seconds): the last thousand."""

    def __init__(self) -> None:
        self._taken: deque[float] = deque(maxlen=1000)
        self.count = 0
        """Scans so far."""

    def add(self, seconds: float) -> None:
        """A scan took so long."""
        self._taken.append(seconds)
        self.count += 1

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
        wiring: Wiring = Wiring(),  # noqa: B008  # a value
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`sensors`: the number of the sensor under every cell; rates in scans a second."""
        self.cells: Sequence[Cell] = tuple(sensors)
        self.kind: events.Sensors = kind
        self.times = ScanTimes()
        self.fault: str | None = None
        """Why the sensors are out of reach, or None."""
        self._scanner, self._panel, self._stopwatch = scanner, panel, stopwatch
        self._sensors = sensors
        self._cells = {number: cell for cell, number in sensors.items()}
        self._wanted, self._idle = 1 / rate, 1 / idle_rate
        self._period = self._wanted
        self._seen = Seen(0)
        """What is believed of the last scan."""
        self._raw = 0
        """The pieces of the last scan, ghosts and all."""
        self._next_at = self._changed_at = float("-inf")
        self._retry = RETRY_S[0]
        self._words = Words()
        self._wiring = wiring
        self._ghosts = Ghosts(wiring.columns) if wiring.columns and wiring.diodes else None
        self._lines = Lines(wiring.lines, spread(sensors.values()))
        self._doubts = Doubts(buttons=kind == "presses")
        self._doubted: dict[int, Literal["stuck", "chatter"]] = {}
        self._doubted_at: dict[int, float] = {}
        self._begun = False
        self._open = True

    # The port

    def poll(self, now: float) -> list[Event]:
        """What changed since the last poll."""
        return [event for _, event in self.poll_timed(now)]

    def poll_timed(self, now: float) -> list[tuple[float, Event]]:
        """As `poll`, each event with the instant of its scan: this one, or none if the next is not due."""
        if not self._open or now + SOON < self._next_at:
            return []
        told = list(self._looked(now))
        if told:
            self._changed_at = now
        if self.fault is None:
            self._next_at = now + self._pause(now)
        return [(now, event) for event in told]

    def _pause(self, now: float) -> float:
        """Seconds to the next scan; a little under the idle period, for who looks late must not miss a whole one."""
        quiet = now - self._changed_at >= QUIET_S
        return max(self._period, self._idle - self._period) if quiet else self._period

    def snapshot(self) -> list[Event]:
        """Every cell as last scanned, `unknown` where it is out of reach or in doubt; nothing from buttons."""
        if self.kind == "presses" or not self._open:
            return []
        return [Sampled(cell, self._reading(number)) for cell, number in self._sensors.items()]

    def close(self) -> None:
        """Lets go of the board."""
        if self._open:
            self._open = False
            self._scanner.close()
            if self._panel:
                self._panel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # A scan

    def _looked(self, now: float) -> Iterator[Event]:
        before = self._stopwatch()
        try:
            seen = self._scanner.scan()
            down = self._panel.down() if self._panel else frozenset()
        except Exception as fault:  # whatever a driver raises is an event, never the end
            yield from self._lose(fault, now)
            return
        self._time(self._stopwatch() - before)
        yield from self._news(seen, now)
        yield from self._words.said(down, now)
        if down:
            self._changed_at = now  # a button that is down must not wait for the next scan of a quiet board

    def _time(self, seconds: float) -> None:
        self.times.add(seconds)
        if self.times.count % MEASURED == 1:
            self._period = max(self._wanted, self.times.median / BUSY)

    def _lose(self, fault: Exception, now: float) -> Iterator[Event]:
        lost_now = self.fault is None
        self.fault = str(fault) or type(fault).__name__
        self._next_at = now + self._retry
        self._retry = min(2 * self._retry, RETRY_S[1])
        if lost_now:
            yield Lost()

    def _news(self, seen: Seen, now: float) -> Iterator[Event]:
        """What a scan that worked has to tell."""
        before, self._seen, self._raw = self._seen, self._believed(seen), seen.pieces
        closed, closes = before.pieces | before.tails, self._seen.pieces | self._seen.tails
        if self.fault is not None:
            self.fault, self._retry = None, RETRY_S[0]
            yield Restored()
            yield from self.snapshot()
            return
        if self._begun:
            self._watch(before.pieces, seen.pieces, closed, closes)
        else:
            self._begun = True
            self._lines.begin(closes)
        self._doubts.look(closed, closes, now)
        silent = self._doubted.keys()
        yield from self._doubting(now)
        if before != self._seen:
            yield from self._changes(before, silent | self._doubted.keys())

    def _believed(self, seen: Seen) -> Seen:
        """What may be believed of a scan: without diodes not the corners of a rectangle."""
        if self._wiring.diodes or not self._wiring.columns:
            return seen
        return seen._replace(pieces=told_apart(self._seen.pieces, seen.pieces, self._wiring.columns))

    def _watch(self, before: int, after: int, closed: int, closes: int) -> None:
        if self._ghosts and not (before ^ after) & spread(self._doubted):
            self._ghosts.look(before, after)
        if (closed ^ closes) & ~self._seen.broken:
            self._lines.look(closed, closes)

    def _changes(self, before: Seen, silent: Set[int]) -> Iterator[Event]:
        changed = (before.pieces ^ self._seen.pieces) | (before.tails ^ self._seen.tails)
        for cell, number in self._sensors.items():
            if changed >> number & 1 and number not in silent:
                yield from self._told(cell, number)

    def _told(self, cell: Cell, number: int) -> Iterator[Event]:
        if self.kind != "presses":
            yield Sampled(cell, self._reading(number))
        elif self._seen.pieces >> number & 1:
            yield Pressed(cell)

    def _reading(self, number: int) -> Reading:
        if self.fault is not None or number in self._doubted:
            return "unknown"
        if self._seen.tails >> number & 1:
            return "tails"
        if not self._seen.pieces >> number & 1:
            return "empty"
        return "heads" if self.kind == "polarity" else "piece"

    # Doubts

    def _doubting(self, now: float) -> Iterator[Event]:
        """Sensors that are not to be believed from now on, and those that are again, with what they read."""
        doubted = self._in_doubt()
        self._doubted_at |= dict.fromkeys(doubted, now)
        before = self._doubted
        for number in before.keys() - doubted.keys():
            if now - self._doubted_at[number] < CALM_S:
                doubted[number] = before[number]
        self._doubted = doubted
        if before.keys() == doubted.keys():
            return
        for cell, number in self._sensors.items():
            if number in doubted and number not in before:
                yield Doubted(cell, doubted[number])
            elif number in before and number not in doubted:
                if self.kind != "presses":
                    yield Sampled(cell, self._reading(number))
                yield Doubted(cell, "back")

    def _in_doubt(self) -> dict[int, Literal["stuck", "chatter"]]:
        stuck = self._lines.doubted | self._doubts.stuck | self._seen.broken
        if not stuck | self._doubts.chattering:
            return {}
        doubted: dict[int, Literal["stuck", "chatter"]] = dict.fromkeys(
            numbers(self._doubts.chattering), "chatter"
        )
        return doubted | dict.fromkeys(numbers(stuck), "stuck")

    # What looks wrong

    @property
    def findings(self) -> list[str]:
        """What looks wrong with the wiring, each in a sentence with where to look."""
        return [*self._out_of_reach(), *self._lines.findings, *self._alone(), *self._diodes(), *self._slow()]

    def _out_of_reach(self) -> Iterator[str]:
        if self.fault is not None:
            yield f"The sensors are out of reach: {self.fault}."

    def _alone(self) -> Iterator[str]:
        """Single cells, those on lines that were named already left out; many of one line are its fault."""
        for bits, fault in (
            (
                self._doubts.chattering,
                "chatters. Look for a loose wire, or a magnet at the edge of its field.",
            ),
            (self._doubts.stuck, "is stuck. Look for a jammed button or a short."),
            (self._seen.broken, "reads an end of the scale. Look for a broken wire."),
        ):
            alone = bits & ~self._lines.doubted
            places = [self._place(number) for number in numbers(alone) if number in self._cells]
            if line := whole(self._wiring.lines, alone):
                places = [line.subject]
            yield from (f"{place} {fault}" for place in places)

    def _diodes(self) -> Iterator[str]:
        for suspect in self._ghosts.suspects if self._ghosts else ():
            yield self._blamed(suspect)
        if not self._wiring.diodes:
            for corners in rectangles(self._raw, self._wiring.columns):
                places = ", ".join(self._cells.get(number, "?").upper() for number in corners)
                yield f"{places} cannot be told apart without diodes. Take one of them off."

    def _blamed(self, suspect: Suspect) -> str:
        how = "around" if suspect.fault == "reversed" else "missing"
        what = "is the wrong way round" if how == "around" else "is missing or the wrong way round"
        return f"{self._place(suspect.number)} lets current through backwards: its diode {what}."

    def _place(self, number: int) -> str:
        """A cell and the lines it hangs on: `D4 (row 4 (GPIO19), column 4 (GPIO22))`."""
        cell = self._cells.get(number, f"sensor {number + 1}").upper()
        lines = ", ".join(line.name for line in self._wiring.lines if line.sensors >> number & 1)
        return f"{cell} on {lines}" if lines else cell

    def _slow(self) -> Iterator[str]:
        if self._period > self._wanted:
            yield (
                f"A scan takes {self.times.median * 1e3:.1f} ms, so there are {1 / self._period:.0f} a second, "
                f"not {1 / self._wanted:.0f}."
            )


class Words:
    """What buttons of a panel say: once each, when they have been down long enough."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._said: set[str] = set()

    def said(self, down: frozenset[str], now: float) -> Iterator[Said]:
        """A word for every button that has been down long enough, once until it is let go."""
        self._since = {word: self._since.get(word, now) for word in down}
        self._said &= down
        for word, since in sorted(self._since.items()):
            if word not in self._said and now - since >= BUTTON_HOLD_S - SOON:
                self._said.add(word)
                yield Said(word)
