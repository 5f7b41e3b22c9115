"""Real games through the cable: hands at a twin, the host behind the link, and the cable pulled where it hurts."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.core.model import Side
from firmware_bridge.board import built
from firmware_bridge.protocol import Kind
from hardware import board_file
from hardware.board_file import BoardFile, SerialWiring
from hardware.legend import Palette
from tests.firmware_bridge.twin import Bench, Twin
from tests.hardware.played import GAME, Hands, recorded

PRESET = board_file.read(board_file.found("serial-8x8"))
BLACK_AND_WHITE = Palette((*GAME.players, *GAME.faces))


class Table(Hands):
    """Two players who stop when the cable is pulled, put it back, and go on."""

    def __init__(self, file: BoardFile, kind: Kind, pulls: list[float]) -> None:
        self._pulls = pulls
        self._luck_of_cables = Random(3)
        self.twin = Twin(kind=kind)
        self.bench = Bench(lambda: self._now, {"/dev/ttyACM0": self.twin})
        self.sentences: list[str] = []
        board = built(file, GAME.points, BLACK_AND_WHITE, cables=self.bench, tell=self.sentences.append)
        super().__init__(file, board.sensors, self._put_on_twin, seed=5)  # type: ignore[arg-type]

    def _put_on_twin(self, number: int, side: Side | None) -> None:
        self.twin.run(b"", self._now)
        self.twin.lay(number, side)

    def _wait(self, seconds: float) -> None:
        if self._pulls and self._now >= self._pulls[0]:
            self._pull(self._pulls.pop(0))
        super()._wait(seconds)

    def _pull(self, at: float) -> None:
        twin = self.bench.pull()
        super()._wait(2.5)
        assert not self.session.connected
        self.bench.plug(twin, f"/dev/ttyUSB{at:g}")
        super()._wait(2)
        assert self.session.connected


def serial(kind: str) -> BoardFile:
    assert isinstance(PRESET.sensors, SerialWiring)
    return PRESET.model_copy(update={"sensors": PRESET.sensors.model_copy(update={"kind": kind})})


@pytest.mark.parametrize(("kind", "row"), [("presence", 3), ("polarity", 8)])
def test_a_whole_game_over_the_cable_is_recorded_though_it_was_pulled_twice(kind: str, row: int) -> None:
    table = Table(serial(kind), Kind[kind.upper()], [20.0, 63.0])
    moves = recorded(row)
    assert table.play(moves) == moves
    assert table.bench.opened == ["/dev/ttyACM0", "/dev/ttyUSB20", "/dev/ttyUSB63"]
    assert table.sentences == [
        "/dev/ttyACM0: [Errno 5] Input/output error",
        "a board on a USB port is not there; plug its cable in and play goes on",
        "/dev/ttyUSB20: [Errno 5] Input/output error",
        "a board on a USB port is not there; plug its cable in and play goes on",
    ]
