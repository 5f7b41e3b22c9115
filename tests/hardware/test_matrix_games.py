"""Whole real games on a matrix of mock pins with bouncing reeds, ending in the recorded moves."""

from __future__ import annotations

from itertools import product

import pytest

from boardctl.core.model import Side
from hardware.board_file import found, read
from hardware.sensing import sensors as sensors_of
from tests.hardware.played import GAME, Hands, recorded, under

pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from tests.hardware.board import MatrixFactory, Switches

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
BOARD = read(found("reed-8x8"))


@pytest.mark.parametrize("row", [3, pytest.param(99, marks=pytest.mark.slow)])
def test_a_real_game_with_bouncing_reeds_is_recorded_to_its_last_move(row: int) -> None:
    reeds = Switches(ROWS, COLUMNS)

    def lay(number: int, side: Side | None) -> None:
        (reeds.close if side else reeds.open)(number)

    with sensors_of(
        BOARD, GAME.points, 64, pin_factory=MatrixFactory(reeds), wait=reeds.wait, stopwatch=lambda: 0.0
    ) as sensors:
        hands = Hands(BOARD, sensors, lay, seed=row)
        assert hands.play(recorded(row)) == recorded(row)
        assert hands.session.table.ended is not None
        assert sensors.findings == []


def test_every_cell_of_the_preset_has_its_own_sensor() -> None:
    sensors = under(BOARD)
    assert sorted(sensors.values()) == list(range(64))
    assert {sensors["a1"], sensors["h8"]} == {0, 63}
    assert [sensors[f"{c}{r}"] for r, c in product("12", "abc")] == [0, 1, 2, 8, 9, 10]
