"""The program at a board on a cable: started without it, played on it, pulled, restarted, given another game."""

from __future__ import annotations

import pytest

from boardctl.app import Board, Play, on_wired, opened, wired
from boardctl.core.commands import LinkChanged
from boardctl.core.model import Game
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from hardware import board_file
from hardware.board_file import BoardFile, DoesNotFit, NoBoard, SerialWiring
from tests.firmware_bridge.twin import Bench, Twin

PRESET = board_file.read(board_file.found("serial-8x8"))
OTHELLO = ["d4", "e4", "d5", "e5"]
PORT = "/dev/ttyACM0"


class At:
    """Somebody at a board of reeds on a cable."""

    def __init__(self, journal: Journal, twin: Twin | None = None, plugged: bool = True) -> None:
        self.time = 0.0 if twin is None else twin._now + 1
        self.twin = twin or Twin()
        self.bench = Bench(lambda: self.time, {PORT: self.twin} if plugged else {})
        header, _ = on_wired(Header("othello"), "serial-8x8")
        self.links: list[str] = []
        self.play: Play = opened(
            header, found(), journal, clock=lambda: self.time, wall=lambda: "noon", board=self._board
        )
        self.play.listeners.append(
            lambda told: self.links.extend(c.state for c in told.commands if isinstance(c, LinkChanged))
        )
        self.wait(1)

    def _board(self, _: Header, game: Game) -> Board:
        return wired(PRESET, game, cables=self.bench)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.time += 0.01
            self.play.poll()

    def put(self, *cells: str) -> None:
        for cell in cells:
            self.twin.lay(number(cell), "heads")
            self.wait(0.5)

    def lift(self, cell: str) -> None:
        self.twin.lay(number(cell), None)
        self.wait(0.3)

    def turn(self, *cells: str) -> None:
        for cell in cells:
            self.lift(cell)
            self.put(cell)

    @property
    def record(self) -> list[str]:
        return [ply.move.label for ply in self.play.session.table.record.plies]

    @property
    def lit(self) -> list[str]:
        """The cells whose pixels shine."""
        where = board_file.pixel_spots(PRESET)
        pixels = self.twin.pixels
        return [
            cell
            for cell, spot in board_file.cells_on(PRESET, self.play.game.points).items()
            if any(pixels[3 * where[spot][0] : 3 * where[spot][0] + 3])
        ]


def number(cell: str) -> int:
    return (int(cell[1]) - 1) * 8 + ord(cell[0]) - ord("a")


@pytest.fixture
def journal() -> Journal:
    return Journal.in_memory()


def test_a_game_on_a_cable_is_laid_lit_played_and_recorded(journal: Journal) -> None:
    at = At(journal)
    assert (at.play.findings, at.links) == ([], [])
    assert at.lit == OTHELLO
    at.put(*OTHELLO)
    at.put("d3")
    assert at.lit == ["d4"]
    at.turn("d4")
    assert at.record == ["d3"]
    at.play.close()
    assert at.twin.pixels == bytes(192)


def test_a_program_that_is_started_without_a_board_says_so_waits_and_plays_on(journal: Journal) -> None:
    at = At(journal, plugged=False)
    at.wait(30)
    assert at.play.findings == ["A board on a USB port is not there; plug its cable in and play goes on."]
    assert at.links == ["lost"]
    at.bench.plug(at.twin, "/dev/ttyUSB0")
    at.wait(2)
    assert at.links == ["lost", "restored"]
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    assert at.record == ["d3"]
    at.play.close()


def test_a_cable_pulled_in_the_middle_of_a_move_costs_nothing(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO, "d3")
    at.lift("d4")
    twin = at.bench.pull()
    at.wait(5)
    assert at.links == ["lost"]
    at.bench.plug(twin, "/dev/ttyACM1")
    at.wait(2)
    assert at.links == ["lost", "restored"]
    assert "d4" in at.lit
    at.put("d4")
    assert at.record == ["d3"]
    at.play.close()


def test_a_restart_goes_on_with_what_lies_on_the_board(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    at.play.close()
    again = At(journal, at.twin)
    assert (again.play.resumed, again.record, again.play.session.connected) == (True, ["d3"], True)
    again.put("c5")
    again.turn("d5")
    assert again.record == ["d3", "c5"]
    again.play.close()


def test_a_restart_without_the_board_waits_for_it(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    at.play.close()
    again = At(journal, at.twin, plugged=False)
    again.wait(5)
    assert (again.record, again.links) == (["d3"], ["lost"])
    again.bench.plug(again.twin, PORT)
    again.wait(2)
    assert again.links == ["lost", "restored"]
    again.put("c5")
    again.turn("d5")
    assert again.record == ["d3", "c5"]
    again.play.close()


def test_another_game_on_the_same_board_takes_the_cable_over(journal: Journal) -> None:
    at = At(journal)
    at.play.change(Header("fundex"))
    at.wait(1)
    assert (at.play.game.name, at.play.session.connected) == ("fundex", True)
    assert at.bench.opened == [PORT, PORT]
    at.play.close()


def test_what_does_not_fit_is_refused_before_a_cable_is_looked_for() -> None:
    game = found()["brax"].game({})
    with pytest.raises(DoesNotFit, match="play another game"):
        wired(PRESET, game, cables=Bench(lambda: 0.0, {}))


def test_rows_and_columns_are_the_microcontrollers_not_the_boards() -> None:
    from firmware_bridge.board import expected

    def along(how: str) -> BoardFile:
        assert isinstance(PRESET.sensors, SerialWiring)
        sensors = PRESET.sensors.model_copy(update={"along": how})
        grid = PRESET.grid.model_copy(update={"columns": 5, "rows": 3})
        return PRESET.model_copy(update={"sensors": sensors, "grid": grid})

    assert expected(along("rows"))[:2] == (3, 5)
    assert expected(along("columns"))[:2] == (5, 3)


def test_a_game_goes_on_after_a_restart_without_its_board_when_the_board_is_plugged_in(
    journal: Journal,
) -> None:
    at = At(journal)
    at.put(*OTHELLO, "d3")
    at.play.close()
    again = At(journal, at.twin, plugged=False)
    again.wait(3)
    assert (again.links, again.record, again.play.session.connected) == (["lost"], ["d3"], False)
    again.bench.plug(at.twin, "/dev/ttyUSB0")
    again.wait(3)
    assert again.links == ["lost", "restored"]
    assert again.play.session.table.told_owed.cells.keys() == {"d4"}
    again.play.close()


def test_a_configured_port_is_named_when_it_is_not_there() -> None:
    assert isinstance(PRESET.sensors, SerialWiring)
    sensors = PRESET.sensors.model_copy(update={"port": "/dev/serial/by-id/usb-none"})
    board = wired(PRESET.model_copy(update={"sensors": sensors}), found()["othello"].game({}))
    board.sensors.poll(0.0)
    assert board.findings() == [
        "A board at /dev/serial/by-id/usb-none is not there; plug its cable in and play goes on."
    ]
    board.sensors.close()


def test_a_panel_on_a_computer_without_pins_is_told() -> None:
    file = PRESET.model_copy(update={"panel": {"pass": 5}})
    with pytest.raises(NoBoard):
        wired(file, found()["othello"].game({}), cables=Bench(lambda: 0.0, {}))
