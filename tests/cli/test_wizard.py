"""`boardctl wizard` in the terminal: through a pipe and on a terminal, stopped and gone on, refusals in a line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from boardctl.wizard.sitting import Files, Sitting
from hardware.board_file import found, named, pixel_spots, read
from hardware.lights import Pixel
from hardware.scanner import Seen
from hardware.shuffled import Shuffled, by_chance
from tests.cli.command import Ran, Running, boardctl, on_terminal, piped

Call = Callable[..., Ran]
PRESET = "reed-6x6"


def bench(seed: int, *, faulty: bool = False) -> Shuffled:
    board = read(found(PRESET))
    return Shuffled(board, seed, *([by_chance(board, seed)] if faulty else []))


def answer(bench: Shuffled, asked: str) -> str:
    """What somebody types who has the simulated board before them."""
    if "red or green" in asked:
        return "g" if bench.swapped else "r"
    if "diodes" in asked:
        return "done"
    by_name = re.search(r"piece on ([A-Z]\d)", asked)
    glowing = re.search(r"([A-Z]\d) glows", asked)
    if not by_name and not glowing:
        return "dark"
    return (by_name or glowing)[1].lower()


def led(running: Running, bench: Shuffled, upto: int = 999) -> None:
    """Does what is asked, so many times or until it is written."""
    running.until("touches it.\n")
    touched = ""
    for _ in range(upto):
        asked = running.until("\n")
        while not re.search(r"Lay a piece|red or green|diodes: lay|Written", asked):
            if "Nothing answers" in asked:
                touched = "skip"
            asked = running.until("\n")
        if "Written" in asked:
            return
        running.type("s" if touched == "skip" else answer(bench, asked))
        touched = ""


def test_a_board_is_learnt_through_a_pipe_and_its_file_says_how_it_is_wired(tmp_path: Path) -> None:
    file, true = tmp_path / "mine.toml", bench(3)
    with piped("wizard", PRESET, "--simulated", "--seed", "3", "-o", file) as running:
        led(running, true)
        assert running.end() == 0
    made = read(file)
    assert {spot: pixels.start for spot, pixels in pixel_spots(made).items()} == true.pixels
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "mine-certificate.html",
        "mine-certificate.txt",
        "mine.toml",
    ]
    certificate = (tmp_path / "mine-certificate.txt").read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d, for mine.toml$", certificate, re.MULTILINE)
    assert "36 of 36 cells answer; 0 faults found." in certificate


def test_faults_are_told_and_end_it_with_status_1(tmp_path: Path) -> None:
    true = bench(4, faulty=True)
    with piped(
        "wizard", PRESET, "--simulated", "--seed", "4", "--faulty", "-o", tmp_path / "b.toml"
    ) as running:
        led(running, true)
        assert running.end() == 1
        for spots, words in (
            (true.faults.dead, "does not answer"),
            (true.faults.dark, "stays dark"),
            (true.faults.crossed[0], "hangs on other lines"),
        ):
            for name in named(spots):
                assert re.search(rf"{name} {words}", running.said)


def test_one_may_stop_and_go_on_where_one_was(tmp_path: Path) -> None:
    file, true = tmp_path / "b.toml", bench(5)
    words = ("wizard", PRESET, "--simulated", "--seed", "5", "-o", file)
    with on_terminal(*words) as running:
        led(running, true, upto=10)
        running.type("stop")
        running.until("Stopped. The same command goes on from here")
        assert running.end() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["b.toml.answers"]
    with on_terminal(*words) as running:
        running.until("Going on after 11 answers.")
        running.press("\x03")
        assert running.end() == 130
    with piped(*words) as running:
        led(running, true)
        assert running.end() == 0
    assert file.exists()


def test_input_that_ends_stops_it_with_the_answers_kept(tmp_path: Path) -> None:
    told = boardctl("wizard", PRESET, "--simulated", "-o", tmp_path / "b.toml", typed="r\nnonsense\nback\n")
    assert (told.status, told.err) == (0, "")
    assert "Say skip, back or stop." in told.out
    assert "One step back." in told.out
    assert told.out.splitlines()[-1].startswith("Stopped.")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "wizard: no board is named; name a board file or a preset, or try --simulated"),
        (
            ("reed-6x6", "-o", "there.toml"),
            "wizard: FOLDER/there.toml is there already; --force writes over it",
        ),
        (
            ("reed-6x6", "-o", "none/b.toml"),
            "wizard: FOLDER/none/b.toml: there is no such folder; name a file that can be written with -o",
        ),
        (
            ("serial-8x8",),
            "serial-8x8: the sensors of this board are on a cable; its microcontroller is told how they are wired",
        ),
        (
            ("reed-6x6", "--simulated", "-o", "old.toml"),
            "wizard: FOLDER/old.toml.answers has the answers of another board; "
            "take it away, or name another file with -o",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    words: tuple[str, ...], line: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "there.toml").write_text("mine")
    (tmp_path / "old.toml.answers").write_text("{}")
    told = call("wizard", *(tmp_path / word if word.endswith(".toml") else word for word in words))
    assert (told.status in (1, 2), told.out) == (True, "")
    assert told.err == f"boardctl: {line.replace('FOLDER', str(tmp_path))}\n"
    assert (tmp_path / "there.toml").read_text() == "mine"


class Loose:
    """A board on a cable that may be out: a scanner and a strip, as a driver has them."""

    def __init__(self, bench: Shuffled) -> None:
        self.bench, self.out = bench, False

    def scan(self) -> Seen:
        if self.out:
            raise OSError("no such device")
        return self.bench.scan()

    def write(self, frame: Sequence[Pixel]) -> None:
        if self.out:
            raise OSError("no such device")
        self.bench.write(frame)

    def close(self) -> None:
        self.bench.close()


def test_a_cable_that_falls_out_is_said_once_and_nothing_is_lost(tmp_path: Path) -> None:
    board, cable = read(found(PRESET)), Loose(bench(6))
    sit = Sitting(board, cable, cable, Files(tmp_path / "mine.toml", force=False), "2026-12-04")
    assert sit.look(0.0) == "The board is empty."
    sit.say("red")
    asked = sit.ask
    cable.out = True
    said = (
        "The sensors do not answer: no such device. Look at the cable; the wizard goes on when they are back."
    )
    assert [sit.look(1.0), sit.look(1.1)] == [said, None]
    assert sit.say("back") == (
        "One step back. The lights do not answer: no such device. Say dark where nothing glows."
    )
    cable.out = False
    sit.say("red")
    assert (sit.look(1.2), sit.ask) == (None, asked)
