"""`boardctl wiring` and `dark`: how a board is wired, its lights out, or in a line why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.command import Ran

Call = Callable[..., Ran]


def test_a_preset_is_printed_and_drawn(call: Call, tmp_path: Path) -> None:
    told = call("wiring", "reed-8x8", "--svg", str(tmp_path / "board.svg"))
    assert (told.status, told.err) == (0, "")
    assert " 29     5  brown   row 1, A1 to H1\n" in told.out
    assert (tmp_path / "board.svg").read_text().startswith("<svg ")


def test_every_fault_of_a_board_file_is_a_line(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[sensors]\nwiring = 'lines'\npins = [2, 99]\nkynd = 'presence'\n")
    told = call("wiring", str(file))
    assert (told.status, told.out) == (2, "")
    assert told.err.splitlines() == [
        f"boardctl: {file}: sensors.pins 2: 99 cannot be; write a whole number from 0 to 27",
        f"boardctl: {file}: sensors.kynd: there is no such key; did you mean kind?",
    ]


def test_a_board_that_is_not_there_is_told_with_the_presets(call: Call) -> None:
    told = call("wiring", "no-such-board")
    assert told.status == 2
    assert told.err.startswith(
        "boardctl: no-such-board: No such file or directory; name a file that can be read"
    )
    assert "reed-8x8" in told.err


def test_a_picture_that_cannot_be_written_is_told(call: Call, tmp_path: Path) -> None:
    told = call("wiring", "reed-8x8", "--svg", str(tmp_path / "none" / "board.svg"))
    assert told.err.endswith("No such file or directory; name a file that can be written\n")


def test_lights_that_cannot_be_put_out_here_are_told(call: Call) -> None:
    told = call("dark", "reed-8x8")
    assert (told.status, told.err) == (
        1,
        "boardctl: reed-8x8: this is no Raspberry Pi; the pixels stay dark and the words tell everything\n",
    )
    assert call("dark", "serial-8x8").err == (
        "boardctl: serial-8x8: this board has no pixels on this computer; nothing is to be done\n"
    )


def test_a_board_that_cannot_be_played_here_is_told_in_lines(call: Call, tmp_path: Path) -> None:
    state = ("--state", str(tmp_path))
    told = call("play", "othello", "--board", "reed-8x8", *state)
    assert (told.status, told.out) == (1, "")
    assert told.err.startswith("boardctl: reed-8x8: the pins cannot be used (")
    assert told.err.endswith("; boardctl doctor says why\n")
    told = call("play", "brax", "--board", "reed-8x8", *state)
    assert (told.status, told.err) == (
        2,
        "boardctl: reed-8x8: i9 lies outside the 8 by 8 cells of the board; "
        "play another game, or write another grid or place in the board file\n",
    )
    file = tmp_path / "mine.toml"
    file.write_text("[sensors]\nwiring = 'matrix'\nrows = [5]\ncolumns = [6]\ndiods = true\n")
    config = tmp_path / "config.toml"
    config.write_text("[board]\nfile = 'mine.toml'\n")
    fault = f"boardctl: {file}: sensors.diods: there is no such key; did you mean diodes?\n"
    for words in (("play", "--board", str(file), *state), ("run", "--config", str(config))):
        assert call(*words) == Ran(2, "", fault)
