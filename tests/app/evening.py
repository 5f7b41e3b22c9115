"""A play in virtual time: a real `Play` on a simulated board, with hands that make legal moves.

Run as a program it plays on and on out of a journal and prints every record entry once it is announced; the test
kills it. `python -m tests.app.evening JOURNAL SEED`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from boardctl.app import Play, Told, opened
from boardctl.core.commands import Command, Moved, Passed, Undone
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header


@dataclass
class Evening:
    """Somebody's hands and a clock that jumps."""

    play: Play
    time: list[float]
    heard: list[Command] = field(default_factory=list)

    def wait(self, seconds: float) -> None:
        """Let time go by, a scan at a time."""
        end = self.time[0] + seconds
        while self.time[0] < end:
            self.time[0] += 0.01
            self.play.poll()

    def put(self, cell: str, piece: str) -> None:
        """Put a disc down and wait until the board has been judged."""
        assert self.play.board.hands is not None
        self.play.board.hands.put(cell, self.play.game.faces[piece], self.time[0])
        self.wait(0.5)

    def turn(self, *cells: str) -> None:
        """Turn discs over, one after the other."""
        assert self.play.board.hands is not None
        for cell in cells:
            self.play.board.hands.turn(cell, self.time[0])
            self.wait(0.25)
        self.wait(0.3)

    def lift(self, cell: str, wait: float = 0.5) -> None:
        """Take a disc away."""
        assert self.play.board.hands is not None
        self.play.board.hands.lift(cell, self.time[0])
        self.wait(wait)

    def owed(self) -> dict[str, tuple[str, str | None]]:
        """What is owed now: cell -> (do, to)."""
        return {cell: (debt.do, debt.to) for cell, debt in self.play.session.table.told_owed.cells.items()}

    def settle(self) -> None:
        """Do all that is owed, as the lights say."""
        for cell, (do, to) in self.owed().items():
            if do == "put" and to is not None:
                self.put(cell, to)
            elif do == "take":
                self.lift(cell)
            elif do == "turn":
                self.turn(cell)

    def move(self, choose: Callable[[list[str]], str]) -> None:
        """Make one of the legal moves as hands do: the disc, then the turns that glow."""
        self.settle()
        record = self.play.session.table.record
        if record.must_pass:
            self.play.say("pass")
            return
        label = choose(sorted(move.label for move in record.moves))
        self.put(label, record.position.player)
        self.settle()


def evening(
    journal: Journal, header: Header, *, listener: Callable[[Told], None] | None = None, start: float = 1000.0
) -> Evening:
    """A play that resumes or begins, with a listener from the first word on."""
    time = [start]
    play = opened(header, found(), journal, clock=lambda: time[0], wall=lambda: "2026-11-30T20:00:00+00:00")
    night = Evening(play, time)
    play.listeners.append(lambda told: night.heard.extend(told.commands))
    if listener is not None:
        play.listeners.append(listener)
    return night


def entry(command: Command) -> str | None:
    """A command of the record as one line; None for any other."""
    match command:
        case Moved():
            return f"{command.ply} {command.player} {command.move}"
        case Passed():
            return f"{command.ply} {command.player} pass"
        case Undone():
            return f"{command.ply} undo {command.move}"
    return None


def _announce(told: Told) -> None:
    for command in told.commands:
        if (line := entry(command)) is not None:
            print(line, flush=True)


def _main(path: str, seed: str) -> None:
    draw = random.Random(int(seed))
    with Journal.open(Path(path)) as journal:
        night = evening(journal, Header("othello", sensors="presence"), listener=_announce)
        print("ready", flush=True)
        while night.play.session.table.ended is None:
            if draw.random() < 0.1 and night.play.session.table.record.plies:
                night.play.say("undo")
            night.move(draw.choice)
        print("over", flush=True)


if __name__ == "__main__":
    _main(*sys.argv[1:])
