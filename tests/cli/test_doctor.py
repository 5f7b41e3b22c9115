"""`boardctl doctor`: this computer, a board file and a configuration, as lines or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from boardctl.checkup import checked
from hardware.doctor import LOOKS
from tests.cli.command import Ran, boardctl
from tests.hardware.patients import PC, ZERO

Call = Callable[..., Ran]

CHECKS = [*LOOKS, "board file", "configuration"]


def test_this_computer_is_looked_at_whatever_it_is() -> None:
    ran = boardctl("doctor")
    lines = ran.out.splitlines()
    assert ran.err == ""
    assert [line[7:20].strip() for line in lines] == CHECKS
    assert [line for line in lines if "could not look" in line] == []
    assert ran.status == int(any(line.startswith("wrong") for line in lines))


def test_a_program_reads_json_lines_of_four_keys(call: Call) -> None:
    ran = call("doctor", "--json", "--light")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [list(each) for each in found] == [["check", "state", "found", "remedy"]] * len(found)
    assert [each["check"] for each in found] == [*CHECKS, "light"]
    assert {each["state"] for each in found} <= {"ok", "wrong", "skip"}
    assert all((each["state"] == "wrong") == (each["remedy"] is not None) for each in found)


def test_faults_of_a_board_file_and_of_a_configuration_are_all_told(call: Call, tmp_path: Path) -> None:
    board, config = tmp_path / "mine.toml", tmp_path / "boardctl.toml"
    board.write_text("[sensors]\nwiring = 'lines'\npins = [2, 99]\n")
    config.write_text("[game]\nname = 'otello'\n[web]\nport = -1\n")
    ran = call("doctor", "--board", board, "--config", config)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines()[-3:] == [
        f"wrong  board file     {board}: sensors.pins 2: 99 cannot be; write a whole number from 0 to 27",
        f"wrong  configuration  {config}: game.name: there is no game 'otello'; did you mean othello?",
        f"wrong  configuration  {config}: web.port: -1 cannot be; write a whole number from 0 to 65535",
    ]


def test_files_that_are_not_there_are_told(call: Call) -> None:
    ran = call("doctor", "--board", "nowhere", "--config", "/nowhere.toml")
    assert ran.status == 1
    assert ran.out.splitlines()[-2:] == [
        "wrong  board file     nowhere: No such file or directory; name a file that can be read",
        "wrong  configuration  /nowhere.toml: No such file or directory; name a file that can be read",
    ]


def test_the_board_of_a_configuration_is_looked_at(tmp_path: Path) -> None:
    config = tmp_path / "boardctl.toml"
    config.write_text("[board]\nfile = 'reed-8x8'\n[state]\nfolder = '/home/pi/games'\n")
    found = [str(each) for each in checked(None, config, machine=ZERO.machine(tmp_path / "root"))]
    assert "ok     spi            /dev/spidev0.0 for its pixels" in found
    assert "ok     room           more than 100 MB are free for /home/pi/games" in found
    assert found[-2:] == [
        "ok     board file     reed-8x8: 8x8 reed matrix",
        f"ok     configuration  {config}: othello on a wired board",
    ]


def test_a_simulated_board_needs_nothing_of_a_pi(tmp_path: Path) -> None:
    config = tmp_path / "boardctl.toml"
    config.write_text("")
    found = list(checked(None, config, machine=PC.machine(tmp_path / "root")))
    assert [each for each in found if each.state == "wrong"] == []
    assert str(found[-1]) == f"ok     configuration  {config}: othello on a simulated board"
