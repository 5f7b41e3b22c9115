"""Somebody at a board on a cable: time that a test lets pass, and what was told of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardctl.core.events import Event, Lost, Restored, Sampled
from boardctl.core.model import Side
from firmware_bridge.conversation import Expected
from firmware_bridge.link import Cabled, CabledStrip, Link
from firmware_bridge.protocol import Kind
from tests.firmware_bridge.twin import Bench, Direct, Transport, Twin

CELLS = {f"{'abcdefgh'[x]}{y + 1}": y * 8 + x for y in range(8) for x in range(8)}
EXPECTED = Expected(8, 8, Kind.PRESENCE, 64)
PORT = "/dev/ttyACM0"
STEP_S = 0.01


class At:
    """A link to a twin, looked at a hundred times a second."""

    def __init__(
        self,
        twin: Twin | None = None,
        *,
        expected: Expected = EXPECTED,
        transports: Callable[[], tuple[Transport, Transport]] = lambda: (Direct(), Direct()),
    ) -> None:
        self.now = 100.0
        self.twin = twin or Twin()
        self.bench = Bench(lambda: self.now, {PORT: self.twin}, transports)
        self.sentences: list[str] = []
        self.link = Link(self.bench, expected, tell=self.sentences.append)
        self.sensors = Cabled(self.link, expected.kind.name.lower(), CELLS)  # type: ignore[arg-type]
        self.strip = CabledStrip(self.link)

    def wait(self, seconds: float) -> list[Event]:
        """What is told meanwhile."""
        return [event for _, event in self.timed(seconds)]

    def timed(self, seconds: float) -> list[tuple[float, Event]]:
        """What is told meanwhile, and how many seconds from now."""
        begun, told = self.now, []
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            told += [(round(at - begun, 6), event) for at, event in self.sensors.poll_timed(self.now)]
        return told

    def lay(self, cell: str, side: Side | None = "heads") -> None:
        self.twin.lay(CELLS[cell], side)

    def pull(self) -> None:
        self.bench.pull()

    def plug(self, port: str = PORT) -> None:
        self.bench.plug(self.twin, port)


def readings(*pieces: str, of: str = "piece") -> list[Event]:
    """A reading of every cell: nothing lies there but these."""
    return [Sampled(cell, of if cell in pieces else "empty") for cell in CELLS]  # type: ignore[arg-type]


def back(*pieces: str) -> list[Event]:
    """What is told when the board is back."""
    return [Restored(), *readings(*pieces)]


LOST: Sequence[Event] = [Lost()]
