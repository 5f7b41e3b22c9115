"""hardware/README.md: its keys and drawings are current, its commands exist, and those that need no Pi are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from hardware.board_file import BoardFile, found, read
from hardware.toml_form import every_key
from hardware.wiring import HEADER
from tests.cli.command import boardctl
from tests.cli.readme import commands
from tests.hardware import readme

ROOT = readme.FOLDER.parent
TEXT = readme.README.read_text(encoding="utf-8")
PRESET = read(found("reed-8x8"))


class Line(NamedTuple):
    """A command of the README, and whether it needs a Raspberry Pi."""

    command: str
    pi: bool


def lines() -> list[Line]:
    """Every indented line that is a command, with what is said beside it."""
    split = (
        re.split(r" {2,}", line.strip(), maxsplit=1)
        for line in re.findall(r"^ {4}(\w.*)$", TEXT, re.MULTILINE)
    )
    programs = ("boardctl", "sudo", "cp")
    return [Line(said[0], said[-1].startswith("(Pi)")) for said in split if said[0].split()[0] in programs]


def calls() -> list[str]:
    """Every call of boardctl, in the lines and in the text."""
    inline = re.findall(r"`(?:sudo )?(boardctl [^`]+)`", TEXT)
    return sorted(
        {
            *inline,
            *(
                line.command.removeprefix("sudo ")
                for line in lines()
                if re.match(r"(sudo )?boardctl ", line.command)
            ),
        }
    )


def test_the_keys_of_a_board_file_are_current() -> None:
    assert readme.current(TEXT) == TEXT, (
        "hardware/README.md is out of date: python -m tests.hardware.readme writes it"
    )


def test_every_key_of_a_board_file_is_in_the_readme() -> None:
    unsaid = [key for key, _ in every_key(BoardFile) if f"| `{key.rpartition('.')[2]}` |" not in TEXT]
    assert unsaid == ["name", "sensors.wiring", "panel"], "these three are told in words"


@pytest.mark.parametrize("path", readme.drawings(), ids=lambda path: path.stem)
def test_the_drawings_are_what_the_program_draws(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == readme.drawings()[path], (
        "python -m tests.hardware.readme draws it"
    )


def test_every_picture_and_page_that_is_named_is_there() -> None:
    named = {target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", TEXT)}
    assert {target for target in named if not (readme.FOLDER / target).is_file()} == set()
    for target in (target for target in named if target.endswith(".svg")):
        ElementTree.parse(readme.FOLDER / target)


@pytest.mark.parametrize("call", calls())
def test_every_command_is_one_with_these_options(call: str) -> None:
    _, command, *words = call.split()
    assert command in commands()
    told = boardctl(command, "--help")
    assert {word for word in words if word.startswith("--") and word not in told.out} == set()


def test_the_commands_that_need_no_pi_run_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "hardware").symlink_to(readme.FOLDER)
    plain = [line.command for line in lines() if not line.pi]
    assert plain == [
        "boardctl wiring reed-8x8",
        "boardctl wiring reed-8x8 --svg board.svg",
        "cp hardware/boards/reed-8x8.toml board.toml",
        "boardctl wiring board.toml",
    ]
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(plain)],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "board.svg").read_text() == (readme.FOLDER / "drawings/reed-8x8.svg").read_text()


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL))
def test_what_is_added_to_a_board_file_makes_a_board(block: str, tmp_path: Path) -> None:
    added = tomllib.loads(block)
    kept = re.split(r"(?=^\[)", found("reed-8x8").read_text(), flags=re.MULTILINE)
    parts = [part for part in kept if not any(part.startswith(f"[{name}]") for name in added)]
    (tmp_path / "board.toml").write_text("\n".join([*parts, block]))
    board = read(tmp_path / "board.toml")
    assert board.name == PRESET.name
    assert board != PRESET


def test_the_tables_of_pins_are_those_of_the_preset() -> None:
    rows, columns = (
        [[int(cell) for cell in line.split("|")[2:-1]] for line in table.splitlines()]
        for table in re.findall(r"((?: +\| (?:GPIO|pin) .*\n){2})", TEXT)
    )
    assert rows == [PRESET.sensors.rows, [HEADER[pin] for pin in PRESET.sensors.rows]]
    assert columns == [PRESET.sensors.columns, [HEADER[pin] for pin in PRESET.sensors.columns]]


def test_a_readme_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the marks"):
        readme.current("# A wired board")
