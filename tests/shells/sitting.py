"""Somebody at the plain terminal in virtual time, at a simulated board whose shuffling is known."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from boardctl.app import Play, opened, simulated
from boardctl.desk import PlayDesk
from boardctl.evening import print_sentences
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.shells.terminal import plain
from boardctl.trace import Header

SHUFFLED = 5
"""The seed of the shuffling: in reading order three stars, square, heart, square, square and two hearts."""
REST_S = 2.0
"""Seconds that somebody waits after each line: longer than the judge."""


class Sitting(PlayDesk):
    """The desk of a play whose clock jumps on while somebody waits."""

    def __init__(self, play: Play, time: list[float]) -> None:
        super().__init__(play)
        self._time = time
        self._sat_at = play
        print_sentences(play)

    async def settled(self) -> None:
        """Let time go by, a scan at a time."""
        end = self._time[0] + REST_S
        while self._time[0] < end:
            self._time[0] += 0.01
            self._sat_at.poll()

    def type(self, *lines: str) -> None:
        """Type these lines at the plain terminal."""
        far, near = os.pipe()
        os.write(near, "\n".join(lines).encode())
        os.close(near)
        try:
            asyncio.run(plain.read(self, far))
        finally:
            os.close(far)


@contextmanager
def sitting(header: Header) -> Iterator[Sitting]:
    """A new game, and somebody at its terminal."""
    time = [1000.0]
    with Journal.in_memory() as journal:
        play = opened(
            header,
            found(),
            journal,
            clock=lambda: time[0],
            wall=lambda: "2026-11-30T20:00:00+00:00",
            board=lambda header, game: simulated(header, game, chance=Random(SHUFFLED)),
        )
        yield Sitting(play, time)
