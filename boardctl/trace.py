"""Traces: a game at a board as JSON Lines, read and written. `spec/interface.md`, section 2, fixes every key.

A trace is a header, then one event a line, then the end. Reading is strict: the first line that is not as the
format says stops it. This module knows the form only: whether there is a game of that name with those options
is for the caller to say, and what the events mean is for the judge.

One key is ours and not in that section: `{"t": 1.2, "cell": "e8", "doubt": "stuck"}`, a driver that knows a
sensor is not to be believed (`stuck`, `chatter`), or is again (`back`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from boardctl import trace_lines
from boardctl.core.events import (
    Doubted,
    Elapsed,
    Event,
    Lost,
    Pressed,
    Restored,
    Said,
    Sampled,
    Sensors,
    Tagged,
)
from boardctl.core.model import Cell
from boardctl.trace_lines import VERSION, MalformedLine, Policy, Start


class MalformedTrace(ValueError):
    """A line of a trace is not as the format says. `line` counts from 1; `what` is a sentence."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: what is played, what the sensors can tell, how patient and how strict the judge is."""

    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    sensors: Sensors = "polarity"
    hold: float = 0.03
    """Seconds a reading must stand before it counts; 0: the source has debounced."""
    rest: float = 0.3
    """Seconds of quiet before the board as a whole is judged."""
    start: Start = "laid"
    policy: Policy = "teach"
    take_back: float = 2.0
    """Seconds a cell must be empty before the piece placed last counts as taken away."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What carries each tag; empty unless `sensors` is `tags`."""


class Trace:
    """A trace being read: its header at once, its events as they are asked for."""

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        """Read the header, from lines of text or of UTF-8 (a file opened in binary mode).

        Blank lines are counted and skipped. Raises `MalformedTrace`.
        """
        self.line = 0
        """The number of the line read last."""
        self._lines = self._counted(lines)
        try:
            self.header = Header(**trace_lines.header(trace_lines.parsed(next(self._lines, "{}"))))
        except MalformedLine as fault:
            raise MalformedTrace(max(self.line, 1), str(fault)) from None

    def events(self, cells: Collection[Cell]) -> Iterator[tuple[float, Event]]:
        """Every event with its time in seconds, on a board with these cells; the end is an `Elapsed`.

        Nothing after the end is read. Where there is no end, time passes up to the last event only. Raises
        `MalformedTrace` for the first line that is malformed, after the events before it.
        """
        sensors = self.header.sensors
        board = trace_lines.Board(sensors, trace_lines.GIVEN[sensors], frozenset(cells))
        now = 0.0
        for line in self._lines:
            try:
                now, event = trace_lines.event(trace_lines.parsed(line), now, board)
            except MalformedLine as fault:
                raise MalformedTrace(self.line, str(fault)) from None
            yield now, event
            if isinstance(event, Elapsed):
                return

    def _counted(self, lines: Iterable[str | bytes]) -> Iterator[str | bytes]:
        for line in lines:
            self.line += 1
            if said := line.strip():
                yield said


def written(t: float, event: Event) -> dict[str, object]:
    """The event at `t` seconds as the JSON object of its line. `Elapsed` is the end and comes last."""
    match event:
        case Sampled(cell, sees):
            return {"t": t, "cell": cell, "sees": sees}
        case Tagged(cell, tag, side, gone):
            came: dict[str, object] = {"t": t, "cell": cell, "tag": tag, "side": side}
            return came | {"gone": True} if gone else came
        case Pressed(cell):
            return {"t": t, "cell": cell, "press": True}
        case Said(word):
            return {"t": t, "say": word}
        case Doubted(cell, state):
            return {"t": t, "cell": cell, "doubt": state}
        case Lost(what):
            return {"t": t, "lost": what}
        case Restored(what):
            return {"t": t, "restored": what}
        case Elapsed():
            return {"t": t, "end": True}


def header_line(header: Header) -> dict[str, object]:
    """The header as the JSON object of the first line: every key, `tags` only where sensors see tags."""
    said: dict[str, object] = {
        "trace": VERSION,
        "game": header.game,
        "options": dict(header.options),
        "sensors": header.sensors,
        "hold": header.hold,
        "rest": header.rest,
        "start": header.start,
        "policy": header.policy,
        "take_back": header.take_back,
    }
    return said | {"tags": dict(header.tags)} if header.sensors == "tags" else said
