"""The board at the end of a cable, behind the ports of a wired one: it may be pulled, replugged and reset at any time.

`Link` finds it and keeps it; `Cabled` and `CabledStrip` are its sensors and its pixels. A board that is out of reach
is looked for as long as it takes, each look a moment. What it says when it is back is a full reading, so a game in
progress goes on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from boardctl.core import events
from boardctl.core.events import Doubted, Event, Sampled
from boardctl.core.model import Cell
from firmware_bridge.cables import Cables
from firmware_bridge.conversation import SILENCE_S, Conversation, Expected, Picture
from hardware.lights import Pixel
from hardware.scanner import Panel, Scanned, Seen, Words

RETRY_S = (0.05, 1.0)
"""Shortest and longest time between two tries to reach a board."""
CHECK_S = 0.5
"""Seconds between two looks for the board's own port while another is asked whether it is one."""


class Link:
    """The cable to one board. Not yet plugged in, wrong or gone, it is tried again and again."""

    def __init__(
        self, cables: Cables, expected: Expected, *, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        """`tell` is given a sentence for people when something is wrong: each once until the board is right again."""
        self.fault: str | None = f"looking for {cables.sought}"
        """Why there is no board, or None."""
        self.port: str | None = None
        """Where the board is, or was last."""
        self.heard_at = float("-inf")
        """When the board last said anything."""
        self._cables, self._expected, self._tell = cables, expected, tell
        self._told: set[str] = set()
        self._talk: Conversation | None = None
        self._trying = ""
        self._tries = 0
        self._next_at = self._check_at = float("-inf")
        self._pause = RETRY_S[0]
        self._now = 0.0
        self._picture: Picture = ()
        self._open = True

    @property
    def conversation(self) -> Conversation | None:
        """What is being said; None while no port is open."""
        return self._talk

    def look(self, now: float) -> list[Seen]:
        """The scans that have come since the last look. Never waits, never raises."""
        self._now = now
        if self._talk is not None and self._talk.hello is None and self._is_back(now):
            self._leave()
            self._next_at, self._tries = now, 0
        if self._talk is None and self._open and now >= self._next_at:
            self._plug_in(now)
        if self._talk is None:
            return []
        try:
            seen = self._talk.look(now)
        except Exception as fault:  # whatever a driver raises, the cable is of no use any more
            self._drop(fault)
            return []
        if self._talk.hello is not None:
            self._found(self._talk.heard_at)
        return seen

    def _plug_in(self, now: float) -> None:
        try:
            self._trying = self._candidate()
            cable = self._cables.open(self._trying)
        except Exception as fault:  # whatever a driver raises
            self._fail(fault)
            return
        try:
            talk = Conversation(cable, self._expected, now, self._cables.byte_s)
            if self._picture:
                talk.show(self._picture, now)
        except Exception as fault:  # likewise
            with contextlib.suppress(Exception):
                cable.close()
            self._fail(fault)
        else:
            self._talk = talk

    def _is_back(self, now: float) -> bool:
        """Whether, while something else is asked, there is a port where the board was last."""
        if self.port in (None, self._trying) or now < self._check_at:
            return False
        self._check_at = now + CHECK_S
        with contextlib.suppress(Exception):  # whatever a driver raises
            return self.port in self._cables.ports()
        return False

    def _candidate(self) -> str:
        """The next port to try: where the board was last, or the others in turn."""
        self._trying = ""
        ports = list(self._cables.ports())
        if not ports:
            raise FileNotFoundError(f"{self._cables.sought} is not there; plug its cable in and play goes on")
        if self.port in ports:
            ports.remove(self.port)
            ports.insert(0, self.port)
        return ports[self._tries % len(ports)]

    def _found(self, heard_at: float) -> None:
        self.heard_at, self.fault, self.port = heard_at, None, self._trying
        self._told.clear()
        self._pause, self._tries = RETRY_S[0], 0

    def _drop(self, fault: Exception) -> None:
        self._leave()
        self._fail(fault)

    def _leave(self) -> None:
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.abandon()

    def _fail(self, fault: Exception) -> None:
        if self.fault is not None:
            self._tries += 1  # where there was a board a moment ago is the first place to look for it
        self.fault = f"{self._trying}: {fault}" if self._trying else str(fault)
        if self.fault not in self._told:
            self._told.add(self.fault)
            self._tell(self.fault)
        self._next_at = self._now + self._pause
        self._pause = min(2 * self._pause, RETRY_S[1])

    def show(self, picture: Picture) -> None:
        """Have the board show this, now or when it is back. Raises OSError while it is out of reach."""
        self._picture = picture
        if self._talk is not None:
            try:
                self._talk.show(picture, self._now)
            except Exception as fault:  # whatever a driver raises
                self._drop(fault)
        if self.fault is not None:
            raise OSError(self.fault)

    def finish(self) -> None:
        """Have the last picture go out, if there is a board that could show it."""
        if self._talk is not None:
            with contextlib.suppress(Exception):  # whatever a driver raises, there is nothing left to do
                self._talk.finish(self._now)

    def close(self) -> None:
        """Let go of the port, for good. The board goes dark by itself."""
        self._open = False
        talk, self._talk = self._talk, None
        if talk is not None:
            self.fault = "the cable was let go"
            with contextlib.suppress(Exception):  # whatever a driver raises, there is nothing left to do
                talk.close()


class Latest:
    """The scan that came last, as a `Scanner`."""

    def __init__(self) -> None:
        self.seen = Seen(0)
        self.fault: str | None = None
        """Why there is none."""

    def scan(self) -> Seen:
        """What came last. Raises OSError while there is none."""
        if self.fault is not None:
            raise OSError(self.fault)
        return self.seen

    def close(self) -> None:
        """Nothing is held."""


class Cabled:
    """The `Sensors` port over a link."""

    def __init__(
        self, link: Link, kind: events.Sensors, sensors: Mapping[Cell, int], *, panel: Panel | None = None
    ) -> None:
        """`sensors`: the number of the sensor under every cell, row by row as the board scans."""
        self.kind: events.Sensors = kind
        self.cells: Sequence[Cell] = tuple(sensors)
        self._link, self._panel, self._words = link, panel, Words()
        self._latest = Latest()
        at_once = float("inf")
        self._scans = Scanned(
            self._latest, kind, sensors, rate=at_once, idle_rate=at_once, stopwatch=lambda: 0.0
        )
        self._first_at: float | None = None
        self._begun = False
        self._open = True

    @property
    def fault(self) -> str | None:
        """Why the sensors are out of reach, or None."""
        return self._scans.fault

    @property
    def findings(self) -> list[str]:
        """What looks wrong with the board, each in a sentence."""
        return self._scans.findings

    def poll(self, now: float) -> list[Event]:
        """What changed since the last poll."""
        return [event for _, event in self.poll_timed(now)]

    def poll_timed(self, now: float) -> list[tuple[float, Event]]:
        """As `poll`, each event with the instant at which its scan was found on the cable."""
        return [(now, event) for event in self._looked(now)] if self._open else []

    def _looked(self, now: float) -> Iterator[Event]:
        """A board that is gone for less than a second and a half is not missed: what it says next is all there is."""
        scans = self._link.look(now)
        if self._first_at is None:
            self._first_at = now
        for seen in scans:
            yield from self._scanned(seen, now)
        if self.fault is None and now - max(self._first_at, self._link.heard_at) >= SILENCE_S:
            self._latest.fault = self._link.fault or "it says nothing"
            yield from self._scans.poll(now)
        yield from self._said(now)

    def _scanned(self, seen: Seen, now: float) -> Iterator[Event]:
        """What a scan has to tell. The first of all tells of every cell, the empty ones, too."""
        self._latest.seen, self._latest.fault = seen, None
        first = not self._begun and self.fault is None
        told = self._scans.poll(now)
        self._begun = self._begun or self.fault is None
        if first and self.kind != "presses":
            yield from self._scans.snapshot()
            told = [event for event in told if isinstance(event, Doubted)]
        yield from told

    def _said(self, now: float) -> Iterator[Event]:
        """What buttons beside the board say, which hang on pins of this computer."""
        if self._panel is not None:
            with contextlib.suppress(Exception):  # whatever a driver raises, the board itself goes on
                yield from self._words.said(self._panel.down(), now)

    def snapshot(self) -> list[Event]:
        """Every cell as last scanned, `unknown` while the board is out of reach; nothing from buttons."""
        known = self._scans.snapshot()
        return known if self._begun else [Sampled(cell, "unknown") for cell in self.cells if known]

    def close(self) -> None:
        """Lets go of the board."""
        if self._open:
            self._open = False
            self._scans.close()
            self._link.close()
            if self._panel is not None:
                self._panel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CabledStrip:
    """The pixels of a board, as a `Strip`."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def write(self, pixels: Sequence[Pixel]) -> None:
        """Show these, now or when the board is back. Raises OSError while it is out of reach."""
        self._link.show(tuple(pixels))

    def close(self) -> None:
        """Have the last ones go out; the sensors keep the cable."""
        self._link.finish()
