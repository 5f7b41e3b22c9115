"""The wizard in a terminal, or through a pipe: it asks line by line and listens to lines and touches alike."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable

from boardctl.wizard.sitting import LOOK_S, SHORT, Sitting
from hardware.board_file import named
from hardware.shuffled import Shuffled


def ask(sit: Sitting, clock: Callable[[], float] = time.monotonic) -> None:
    """Ask and listen until all is learnt or somebody stops.

    Lines come from standard input; when that has ended, touches still count unless the board is simulated.
    """
    print(_welcome(sit), flush=True)
    if sit.said:
        print(sit.said, flush=True)
    lines, asked = _Lines(), ""
    while sit.course.step is not None:
        if (told := _told(sit)) != asked:
            print(told, flush=True)
        asked = told
        for word in lines.within(LOOK_S):
            if SHORT.get(word, word) == "stop":
                return
            print(sit.say(word), flush=True)
            asked = ""
        if lines.ended and sit.bench is not None:
            return
        if (learnt := sit.look(clock())) is not None:
            print(learnt, flush=True)


def _welcome(sit: Sitting) -> str:
    touch = " A cell's name, as C4, touches it." if sit.bench else ""
    return (
        f"{sit.board.name}: {len(sit.board.grid.spots)} cells, A1 at the top left. Type back, skip, dark (no light), "
        f"done, or stop; the first letter does.{touch}"
    )


def _told(sit: Sitting) -> str:
    step, (done, of) = sit.course.step, sit.course.progress
    touching = step is not None and "skip" in step.words and "green" not in step.words and sit.course.answers
    count = f"{min(done + 1, of)}/{of}  " if touching else ""
    lit = f" (On the simulated board {_seen(sit.bench)}.)" if sit.bench and sit.bench.lit() else ""
    return f"{count}{sit.ask}{lit}"


def _seen(bench: Shuffled) -> str:
    return " and ".join(f"{named([spot])[0]} glows {colour}" for spot, colour in bench.lit())


class _Lines:
    """Lines of standard input as they come, never waiting longer than asked."""

    def __init__(self) -> None:
        self.ended = False
        self._rest = b""

    def within(self, seconds: float) -> list[str]:
        """The lines that have come, at most one a look so that what is touched counts in order."""
        if b"\n" not in self._rest and not self.ended:
            ready, _, _ = select.select([sys.stdin], [], [], seconds)
            chunk = os.read(sys.stdin.fileno(), 4096) if ready else None
            self._rest += chunk or b""
            self.ended = chunk == b""
        line, newline, rest = self._rest.partition(b"\n")
        if not newline:
            return []
        self._rest = rest
        word = line.decode("utf-8", "replace").strip().lower()
        return [word] if word else []
