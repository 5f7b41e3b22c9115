"""`boardctl play --board` with the real lgpio on a simulated chip: a recorded game, played by closing switches."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardctl.core.model import Move, Position
from hardware.board_file import found
from tests.cli.command import COMMAND, PATIENCE_S, ROOT, Running, boardctl
from tests.gpiochip import chip as chips
from tests.gpiochip.chip import Chip, close
from tests.hardware.played import GAME, recorded

pytestmark = pytest.mark.skipif(chips.missing() is not None, reason=str(chips.missing()))

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
QUICK = "rate = 200\nidle_rate = 200\nhold = 0.01\nrest = 0.06\n"
SEEN = 8
"""Scans after which a switch that stands has been noticed: twice what the hold takes."""
CALLS = 17
"""Kernel calls a scan."""


class Fingers:
    """They close the switches of the board, and see from its calls that it has looked."""

    def __init__(self, chip: Chip, playing: Running) -> None:
        self._chip, self._playing = chip, playing
        self._lying: set[str] = set()

    def lay(self, *cells: str) -> None:
        self._lying |= set(cells)
        self._rest()

    def turn(self, cell: str) -> None:
        self._lying.discard(cell)
        self._rest()
        self.lay(cell)

    def make(self, move: Move) -> None:
        for change in move.changes:
            (self.lay if change.before is None else self.turn)(change.cell)

    def _rest(self) -> None:
        state = self._chip.state
        close(state, ((int(cell[1]) - 1) * 8 + ord(cell[0]) - ord("a") for cell in self._lying))
        wanted, give_up = state.calls + SEEN * CALLS, time.monotonic() + PATIENCE_S
        while state.calls < wanted:
            assert time.monotonic() < give_up, "the board is not looked at any more"
            assert self._playing.process.poll() is None


@contextmanager
def playing(chip: Chip, *words: str | Path) -> Iterator[Running]:
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        env=chip.environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            yield Running(process, process.stdin.fileno(), process.stdout.fileno())
        finally:
            process.kill()


def awaited(position: Position) -> str:
    """What is said when the turns are done."""
    if position.outcome is not None:
        return "Black wins, 52 to 12."
    return " cannot move." if position.moves()[0].label == "pass" else " to move."


@pytest.mark.slow
def test_a_recorded_game_is_played_to_its_score_by_switches_on_the_chip(tmp_path: Path) -> None:
    chip = Chip(chips.built(tmp_path), tmp_path)
    chip.matrix(ROWS, COLUMNS)
    board = tmp_path / "mine.toml"
    board.write_text(found("reed-8x8").read_text().replace("[sensors]\n", f"[sensors]\n{QUICK}"))
    labels, position = recorded(1), GAME.starts[0]
    with playing(
        chip, "play", "othello", "--board", board, "--no-web", "--state", tmp_path / "state"
    ) as game:
        fingers = Fingers(chip, game)
        game.until("Lay the start: ")
        fingers.lay(*position.pieces)
        game.until("Black to move.")
        for label in labels:
            if position.moves()[0].label == "pass":
                position = position.play(position.moves()[0])
            move = next(move for move in position.moves() if move.label == label)
            fingers.make(move)
            position = position.play(move)
            game.until(f"plays {label.upper()}.", awaited(position))
        game.type("quit")
        assert game.end() == 0
    assert position.score == {"black": 52, "white": 12}
    told = boardctl("export", "1", "--state", tmp_path / "state").out
    assert told.replace("pass", "").replace("\n", "").replace(" ", "") == "".join(labels)
    assert chip.state.shorts == 0
    assert list(chip.state.drives[:28]) == [chips.INPUT] * 28
