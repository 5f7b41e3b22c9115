"""The wizard's course at simulated boards: two hundred wired by chance, all learnt and written; every fault named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.board_file import BoardFile, found, named, pixel_spots, read, sensor_spots, spot_named
from hardware.certificate import html, text, toml, written
from hardware.course import Course, Found, listening
from hardware.shuffled import Faults, Shuffled

DAY = "2026-12-01"
KINDS = ("reed-8x8", "reed-6x6", "button-8x8", "hall-8x8", "tiles-3x3", "points-9x9")


class Maker:
    """Somebody who does what the course says, at a simulated board, in a time of their own."""

    def __init__(self, bench: Shuffled, *, lit: bool = True) -> None:
        self.bench, self.now = bench, 0.0
        self.course = Course(bench.board, lit=lit)
        self.heard: list[str] = []

    def wait(self) -> None:
        """Long enough for what lies there to count."""
        for _ in range(2):
            seen = self.bench.scan()
            said = self.course.look(seen.pieces | seen.tails, self.now, self.bench.away)
            self.heard += [said] if said else []
            self.now += 0.2

    def touch(self, cell: str) -> None:
        self.bench.touch(spot_named(cell))
        self.wait()
        self.bench.clear()
        self.wait()

    def goes_on(self) -> bool:
        """Does the next step. Answers whether there was one."""
        step = self.course.step
        if step is None:
            return False
        if "green" in step.words:
            self.course.say("green" if self.bench.swapped else "red")
        elif "done" in step.words:
            self.lays_all()
        elif step.pixels:
            under = {pixel: spot for spot, pixel in self.bench.pixels.items()}
            spot = under[step.pixels.start]
            self.course.say("dark") if spot in self.bench.faults.dark else self.touches(spot)
        elif step.spot is not None:
            self.touches(step.spot)
        else:
            self.wait()
        return True

    def touches(self, spot: tuple[int, int]) -> None:
        asked = len(self.course.answers)
        self.touch(named([spot])[0])
        if len(self.course.answers) == asked:
            self.course.say("skip")

    def lays_all(self) -> None:
        for spot in self.bench.board.grid.spots:
            self.bench.touch(spot)
            self.wait()
        assert self.course.step.say.startswith("Take off the piece on B2, then all others from A1 on.")
        for spot in [(1, 1), *self.bench.board.grid.spots]:
            self.bench.clear(spot)
            self.wait()
        if self.course.step is not None:
            self.course.say("done")

    def learns(self) -> Found:
        while self.goes_on():
            pass
        return self.course.found()


def board(name: str) -> BoardFile:
    return read(found(name))


def agrees(bench: Shuffled, made: BoardFile) -> None:
    """The file says of every cell what is true of the bench."""
    before, after = ends(bench.board), ends(made)
    dead = bench.faults.dead | bench.faults.backwards
    order = {spot: after[n] for n, spot in enumerate(sensor_spots(made)) if spot not in dead}
    assert order == {spot: before[n] for spot, n in bench.sensors.items() if spot not in dead}
    assert made.pixels is not None
    assert bench.board.pixels is not None
    assert {spot: pixels.start for spot, pixels in pixel_spots(made).items()} == bench.pixels
    assert (made.pixels.order != bench.board.pixels.order) == bench.swapped


def ends(board: BoardFile) -> list[object]:
    """Where each sensor is connected."""
    match board.sensors.wiring:
        case "matrix":
            return [(row, column) for row in board.sensors.rows for column in board.sensors.columns]
        case "lines":
            return list(board.sensors.pins)
    return list(range(len(board.grid.spots)))


@pytest.mark.parametrize("seed", range(200))
def test_a_board_wired_by_chance_is_learnt_and_its_file_reads_back(seed: int, tmp_path: Path) -> None:
    bench = Shuffled(board(KINDS[seed % len(KINDS)]), seed)
    maker = Maker(bench)
    while maker.course.step is not None and "done" not in maker.course.step.words:
        maker.goes_on()
    made = maker.course.found()
    assert made.findings == ()
    agrees(bench, made.board)
    written(made.board, tmp_path / "board.toml", DAY, force=False)
    assert read(tmp_path / "board.toml") == made.board


def test_a_whole_course_proves_every_diode() -> None:
    maker = Maker(Shuffled(board("reed-6x6"), 1))
    made = maker.learns()
    assert (made.findings, made.notes) == ((), ())


def test_faults_are_named_with_the_place_to_look() -> None:
    faults = Faults(
        dead=frozenset({(2, 3)}),
        bare=frozenset({(4, 4)}),
        crossed=(((1, 1), (5, 2)),),
        dark=frozenset({(6, 6)}),
    )
    bench = Shuffled(board("reed-8x8"), 7, faults)
    made = Maker(bench).learns()
    assert sorted(finding.partition(", at ")[0] for finding in made.findings) == [
        "B2 hangs on other lines than its neighbours. Two wires are crossed there.",
        "C4 does not answer. Look at its switch and its diode, which may be the wrong way round.",
        "E5: its diode",
        "F3 hangs on other lines than its neighbours. Two wires are crossed there.",
        "The pixel under G7 stays dark. Look at its joints and its data line.",
    ]
    agrees(bench, made.board)
    told = text(made, "mine.toml", DAY)
    assert "63 of 64 cells answer; 5 faults:" in told
    assert "  C4  row 3 (GPIO5), column 4 (GPIO12): no answer\n" in told
    page = html(made, "mine.toml", DAY)
    assert page.count("<svg") == 1
    assert DAY in page


def test_a_reversed_diode_is_a_cell_that_does_not_answer() -> None:
    made = Maker(Shuffled(board("reed-6x6"), 3, Faults(backwards=frozenset({(1, 2)})))).learns()
    assert made.findings[0] == (
        "B3 does not answer. Look at its switch and its diode, which may be the wrong way round."
    )


def test_the_poles_and_thresholds_of_halls_are_learnt_and_one_upside_down_is_named() -> None:
    bench = Shuffled(board("hall-8x8"), 5, Faults(turned=frozenset({(2, 2)})))
    made = Maker(bench).learns()
    assert made.findings == ("C3 reads the other pole than most: its hall lies upside down. Turn it over.",)
    sensors = made.board.sensors
    assert sensors.heads == ("above" if bench.pole > 0 else "below")
    pulls = [abs(bench._pull[spot]) for spot in sensor_spots(made.board)]
    assert all(0.4 < each / pull < 0.6 for each, pull in zip(sensors.thresholds, pulls, strict=True))
    assert listening(bench.board).sensors.threshold == 0.03


def test_without_lights_every_cell_is_asked_for_by_name() -> None:
    bench = Shuffled(board("tiles-3x3"), 4)
    maker = Maker(bench, lit=False)
    made = maker.learns()
    assert {spot: made.board.sensors.pins[n] for n, spot in enumerate(sensor_spots(made.board))} == {
        spot: bench.board.sensors.pins[n] for spot, n in bench.sensors.items()
    }
    assert made.notes == ("The pixels could not be lit here; how they run is as the draft has it.",)


def test_one_may_go_back_and_a_cell_touched_twice_is_not_taken() -> None:
    maker = Maker(Shuffled(board("reed-6x6"), 2), lit=False)
    maker.wait()
    maker.touch("A1")
    maker.touch("A1")
    assert maker.heard[-1] == "That was A1 again."
    assert maker.course.step.say == "Lay a piece on B1, and take it off."
    assert maker.course.say("back") == "One step back."
    assert maker.course.step.say == "Lay a piece on A1, and take it off."
    assert maker.course.say("jump") == "Say skip, back or stop."


def test_a_course_goes_on_from_its_answers() -> None:
    bench = Shuffled(board("reed-6x6"), 2)
    maker = Maker(bench)
    for _ in range(20):
        maker.goes_on()
    again = Maker(bench)
    again.course = Course(bench.board, lit=True, answers=maker.course.answers)
    again.wait()
    assert again.course.step == maker.course.step
    assert again.learns() == maker.learns()


def test_what_is_closed_on_an_empty_board_is_named_and_left_out() -> None:
    bench = Shuffled(board("reed-6x6"), 2)
    maker = Maker(bench, lit=False)
    bench.touch((3, 3))
    maker.wait()
    assert maker.course.step.say == "Take everything off the board."
    assert maker.course.say("skip") == "1 sensors read closed and are left out."
    bench.clear()
    finding = maker.learns().findings[0]
    assert finding.startswith("The sensor at row ")
    assert finding.endswith(" reads closed with nothing on it. Look for a short there.")


def test_a_file_says_only_what_differs_from_the_defaults() -> None:
    assert toml(board("tiles-3x3"), DAY) == (
        f"# Written by boardctl wizard on {DAY}. Only what differs from the defaults is said.\n"
        'name = "3x3 tiles"\n\n[grid]\ncolumns = 3\nrows = 3\n\n'
        '[sensors]\nwiring = "lines"\npins = [5, 6, 13, 19, 26, 16, 20, 21, 12]\n\n'
        "[panel]\nundo = 4\nok = 17\nnothing = 27\nheart = 22\nsquare = 23\nstar = 24\n\n[pixels]\ncount = 9\n"
    )


def test_a_file_that_is_there_stays_unless_one_says_so(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text("mine")
    with pytest.raises(FileExistsError):
        written(board("reed-6x6"), file, DAY, force=False)
    assert file.read_text() == "mine"
    written(board("reed-6x6"), file, DAY, force=True)
    assert (read(file), list(tmp_path.iterdir())) == (board("reed-6x6"), [file])
