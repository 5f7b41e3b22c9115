"""`boardctl flash`: what it has avrdude do, and what it says where it cannot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.flash import HEX
from tests.cli.command import COMMAND, ROOT, Ran


def flashed(*words: str | Path, path: Path) -> Ran:
    """Call it with a folder that is all of PATH."""
    environment = {**os.environ, "PATH": str(path)}
    command = [*COMMAND, "flash", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=ROOT, env=environment)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Something to be written."""
    file = tmp_path / "board.hex"
    file.write_text(":00000001FF\n")
    return file


def avrdude(folder: Path, status: int) -> None:
    """One that prints what it is told, and ends so."""
    file = folder / "avrdude"
    file.write_text(f'#!/bin/sh\necho "avrdude $*"\nexit {status}\n')
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["uno"], "-P /dev/ttyACM0 -b 115200"),
        (["nano"], "-P /dev/ttyUSB0 -b 115200"),
        (["nano-old", "--port", "/dev/ttyUSB3"], "-P /dev/ttyUSB3 -b 57600"),
    ],
)
def test_a_dry_run_prints_the_command_and_needs_nothing(tmp_path: Path, words: list[str], line: str) -> None:
    assert flashed(*words, "--dry-run", path=tmp_path) == Ran(
        0, f"avrdude -p m328p -c arduino {line} -D -U flash:w:{HEX}:i\n", ""
    )


def test_avrdude_is_called_with_just_that(tmp_path: Path, built: Path) -> None:
    avrdude(tmp_path, 0)
    dry = flashed("uno", "--hex", built, "--dry-run", path=tmp_path)
    assert flashed("uno", "--hex", built, path=tmp_path) == dry


def test_without_avrdude_it_says_what_to_install(tmp_path: Path, built: Path) -> None:
    assert flashed("uno", "--hex", built, path=tmp_path) == Ran(
        2, "", "boardctl: flash: avrdude is not installed; apt install avrdude\n"
    )


def test_without_firmware_it_says_how_to_build_it(tmp_path: Path) -> None:
    avrdude(tmp_path, 0)
    assert flashed("uno", "--hex", "/nowhere.hex", path=tmp_path) == Ran(
        2, "", "boardctl: flash: there is no /nowhere.hex; run make firmware in a clone of the project\n"
    )


def test_an_avrdude_that_fails_is_a_fault(tmp_path: Path, built: Path) -> None:
    avrdude(tmp_path, 1)
    ran = flashed("nano", "--hex", built, path=tmp_path)
    assert (ran.status, ran.err) == (1, "boardctl: flash: avrdude ended with 1; its own words stand above\n")
