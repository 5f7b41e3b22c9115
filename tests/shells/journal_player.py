"""A process that plays into a journal until it is killed, and says each move when the journal has it."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Self

from boardctl.core.commands import Moved, Owed
from boardctl.shells.journal import Journal


def play(path: Path) -> None:
    """Play without end."""
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, "2025-11-30T21:55:00+01:00")
        print("ready", flush=True)
        for ply in count(1):
            journal.note(game, {"t": float(ply), "cell": f"d{ply}", "sees": "heads"})
            journal.commit(game, [Moved(ply, "black", f"d{ply}", {}), Owed("move", {})], float(ply))
            print(f"d{ply}", flush=True)


class Player:
    """That process, seen from here."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen([sys.executable, __file__, path], stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self.kill()

    def said(self) -> str:
        """The next word it says."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def kill(self) -> list[str]:
        """Kill it where it is; what it said before that and was not heard yet."""
        self._process.kill()
        rest, _ = self._process.communicate()
        return rest.split()


if __name__ == "__main__":
    play(Path(sys.argv[1]))
