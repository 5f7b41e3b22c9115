"""The program at a wired board, on gpiozero's mock pins: hands close switches, games are begun and kept."""

from __future__ import annotations

import pytest

from boardctl.app import Play, on_wired, opened, wired
from boardctl.core.model import Game
from boardctl.desk import PlayDesk
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from hardware import board_file
from hardware.board_file import MatrixWiring, NoBoard
from tests.hardware.board import MatrixFactory, Switches

REED = board_file.read(board_file.found("reed-8x8"))
OTHELLO = ["d4", "e4", "d5", "e5"]


class At:
    """Somebody at a board of reeds."""

    def __init__(self, journal: Journal, switches: Switches | None = None, game: str = "othello") -> None:
        assert isinstance(REED.sensors, MatrixWiring)
        self.time = 0.0
        self.switches = switches or Switches(REED.sensors.rows, REED.sensors.columns)
        self.pins = MatrixFactory(self.switches)
        header, _ = on_wired(Header(game), "reed-8x8")
        self.play: Play = opened(
            header, found(), journal, clock=lambda: self.time, wall=lambda: "noon", board=self.board
        )
        self.desk = PlayDesk(self.play)
        self.wait(1)

    def board(self, _: Header, game: Game) -> object:
        return wired(REED, game, self.pins)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.time += 0.01
            self.play.poll()

    def put(self, *cells: str) -> None:
        for cell in cells:
            self.switches.close(number(cell))
            self.wait(0.5)

    def turn(self, *cells: str) -> None:
        for cell in cells:
            self.switches.open(number(cell))
            self.wait(0.3)
            self.put(cell)

    def move(self) -> None:
        """The first move there is."""
        before, move = self.record, self.play.session.table.record.position.moves()[0]
        put, *turned = (change.cell for change in move.changes)
        self.put(put)
        self.turn(*turned)
        assert self.record == [*before, move.label]

    @property
    def record(self) -> list[str]:
        return [ply.move.label for ply in self.play.session.table.record.plies]


def number(cell: str) -> int:
    return (int(cell[1]) - 1) * 8 + ord(cell[0]) - ord("a")


@pytest.fixture
def journal() -> Journal:
    return Journal.in_memory()


def test_a_game_on_wired_reeds_is_laid_played_and_recorded(journal: Journal) -> None:
    at = At(journal)
    assert at.desk.scene()["why"] == "set-up"
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    assert at.record == ["d3"]
    assert at.desk.scene()["simulated"] is False
    assert at.desk.do({"hand": "put", "cell": "c3", "side": "heads"}) == (
        "This page mirrors a real board. Move the pieces there."
    )
    at.play.close()


def test_a_board_without_its_strip_says_so_and_is_played(journal: Journal) -> None:
    at = At(journal)
    (finding,) = at.play.findings
    assert finding.startswith("There are no lights: ")
    at.play.close()


def test_a_restart_goes_on_with_what_lies_on_the_board(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    at.play.close()
    at.switches.open(number("e4"))  # while nobody looked
    again = At(journal, at.switches)
    assert again.play.resumed
    assert again.record == ["d3"]
    again.put("e4", "c5")
    again.turn("d5")
    assert again.record == ["d3", "c5"]
    again.play.close()


def test_a_new_game_keeps_the_pins_and_starts_from_what_lies_there(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO)
    assert at.desk.do({"new": {"game": "fundex", "sensors": "polarity", "start": "laid"}}) is None
    assert at.play.header.sensors == "presence"
    at.wait(1)
    assert at.desk.scene()["game"]["name"] == "fundex"
    at.move()
    at.play.close()


def test_a_game_that_does_not_fit_is_refused_and_the_one_on_the_board_goes_on(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO)
    said = at.desk.do({"new": {"game": "brax"}})
    assert said == (
        "That game cannot be: i9 lies outside the 8 by 8 cells of the board; "
        "play another game, or write another grid or place in the board file."
    )
    at.put("d3")
    at.turn("d4")
    assert at.record == ["d3"]
    at.play.close()


def test_a_smaller_game_plays_on_part_of_the_board(journal: Journal) -> None:
    at = At(journal, game="bracket")
    at.put("c3", "d3", "c4", "d4")
    assert at.desk.scene()["why"] != "set-up"
    at.move()
    at.play.close()


def test_a_driver_that_fails_costs_no_game(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO)
    at.switches.broken = True
    at.wait(0.5)
    assert at.desk.scene()["kind"] == "lost"
    at.switches.broken = False
    at.wait(3)
    at.put("d3")
    at.turn("d4")
    assert at.record == ["d3"]
    at.play.close()


def test_closing_gives_every_pin_back(journal: Journal) -> None:
    At(journal).play.close()
    pins = MatrixFactory(Switches(REED.sensors.rows, REED.sensors.columns))
    first = wired(REED, found()["othello"].game({}), pins)
    with pytest.raises(NoBoard, match=r"GPIO\d+ .*in use"):
        wired(REED, found()["othello"].game({}), pins)
    first.sensors.close()
    wired(REED, found()["othello"].game({}), pins).sensors.close()


def test_a_quiet_board_is_looked_at_as_often_as_its_idle_rate_says(journal: Journal) -> None:
    at = At(journal)
    at.wait(2)
    times, began = at.play.board.sensors.times, at.time
    scans = times.count
    while at.time < began + 10:
        at.time += at.play.pause
        at.play.poll()
    assert REED.sensors.idle_rate == 20
    assert 199 <= times.count - scans <= 201


def test_what_looks_wrong_with_the_board_is_told_on_the_page_while_it_does(journal: Journal) -> None:
    at = At(journal)
    at.put(*OTHELLO)
    (dark,) = at.desk.scene()["findings"]
    assert dark.startswith("There are no lights: ")
    at.switches.broken = True
    at.wait(2)
    assert at.desk.scene()["findings"] == [
        dark,
        "The sensors are out of reach: [Errno 5] Input/output error.",
    ]
    at.switches.broken = False
    at.wait(4)
    assert at.desk.scene()["findings"] == [dark]
    at.play.close()


def test_a_diode_the_wrong_way_round_is_named_on_the_page(journal: Journal) -> None:
    at = At(journal)
    at.switches.backwards = {(3, 3)}
    for cells in (
        ("a4", "d1", "a1"),
        ("b4", "d2", "b2"),
        ("c4", "d3", "c3"),
        ("e4", "d5", "e5"),
        ("f4", "d6", "f6"),
    ):
        at.put("d4", *cells)
        at.switches.open(*map(number, ("d4", *cells)))
        at.wait(1.5)
    assert any("D4" in finding and "diode" in finding for finding in at.desk.scene()["findings"])
    at.play.close()
