"""Firmware, built once for all tests, on simulated boards."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.firmware_bridge.simulator import board as boards
from tests.firmware_bridge.simulator.board import Board

Building: TypeAlias = Callable[..., Board]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The simulator."""
    if (why := boards.missing()) is not None:
        pytest.skip(why)
    return boards.loaded(boards.simulator(tmp_path_factory.mktemp("simulator")))


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulator as a program of its own, with a pty."""
    if (why := boards.missing()) is not None:
        pytest.skip(why)
    return boards.simulator(tmp_path_factory.mktemp("program"), library=False)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds firmware, each sort once: `built(BAUD=250000)`, `built(sketch=True)`."""
    done: dict[str, Path] = {}

    def build(
        *, sketch: bool = False, changes: Mapping[str, Mapping[str, str]] | None = None, **options: object
    ) -> Path:
        name = f"{sketch} {changes} {options}"
        if name not in done:
            folder = tmp_path_factory.mktemp("firmware")
            done[name] = (
                boards.sketch(folder) if sketch else boards.firmware(folder, changes=changes, **options)
            )
        return done[name]

    return build


@pytest.fixture
def powered(library: ctypes.CDLL, built: Callable[..., Path]) -> Iterator[Building]:
    """Builds firmware and puts it on a board, which has said all it says at the start when a test gets it."""
    made: list[Board] = []

    def power(*, baud: int = 115200, **options: object) -> Board:
        if baud != 115200:
            options["BAUD"] = baud
        board = Board(library, built(**options), baud=baud)
        made.append(board)
        board.told(ms=50)
        return board

    yield power
    for board in made:
        board.close()


@pytest.fixture(params=["avr-libc", "arduino"])
def board(request: pytest.FixtureRequest, powered: Building) -> Board:
    """A matrix of 8 by 8 switches with diodes and 64 pixels: firmware as `make` builds it, and as a sketch."""
    if request.param == "avr-libc":
        return powered()
    if (why := boards.missing_arduino()) is not None:
        pytest.skip(why)
    return powered(sketch=True)
