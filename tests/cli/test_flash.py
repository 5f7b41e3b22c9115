"""`boardctl flash`: what it has avrdude do or copies to a Pico, and what it says where it cannot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.flash import HEX, PICO, CannotFlash, drive
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


# A Pico


@pytest.fixture
def circuitpy(tmp_path: Path) -> Path:
    """The drive of a Pico with CircuitPython."""
    folder = tmp_path / "CIRCUITPY"
    folder.mkdir()
    says = "Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
    (folder / "boot_out.txt").write_text(says)
    return folder


def test_the_files_are_copied_to_a_pico_and_it_is_to_be_plugged_in_again(
    tmp_path: Path, circuitpy: Path
) -> None:
    written = "".join(f"Written: {circuitpy / name}\n" for name in ("bridge.py", "boot.py", "code.py"))
    assert flashed("pico", "--drive", circuitpy, path=tmp_path) == Ran(
        0,
        f"{written}Eject the drive, unplug the Pico and plug it in again: boot.py counts from then on.\n",
        "",
    )
    for name in ("bridge.py", "boot.py", "code.py"):
        assert (circuitpy / name).read_bytes() == (PICO / name).read_bytes()


def test_a_dry_run_for_a_pico_prints_the_copy_and_copies_nothing(tmp_path: Path, circuitpy: Path) -> None:
    told = flashed("pico", "--drive", circuitpy, "--dry-run", path=tmp_path)
    files = " ".join(str(PICO / name) for name in ("bridge.py", "boot.py", "code.py"))
    assert told == Ran(0, f"cp {files} {circuitpy}\n", "")
    assert [file.name for file in circuitpy.iterdir()] == ["boot_out.txt"]


def test_a_folder_that_is_no_drive_of_a_pico_is_left_alone(tmp_path: Path) -> None:
    assert flashed("pico", "--drive", tmp_path, path=tmp_path) == Ran(
        2,
        "",
        f"boardctl: flash: {tmp_path} is no drive of CircuitPython: it has no boot_out.txt; name another\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("says", "has"),
    [
        ("Adafruit CircuitPython 7.3.3 on 2022-08-29; Raspberry Pi Pico", "CircuitPython 7.3"),
        ("MicroPython", "something else"),
    ],
)
def test_an_old_circuitpython_is_refused_with_its_version(
    tmp_path: Path, circuitpy: Path, says: str, has: str
) -> None:
    (circuitpy / "boot_out.txt").write_text(says)
    assert flashed("pico", "--drive", circuitpy, path=tmp_path) == Ran(
        2, "", f"boardctl: flash: {circuitpy} has {has}; put CircuitPython 8 or later on the Pico\n"
    )


def test_a_drive_that_cannot_be_written_is_said_in_a_line(tmp_path: Path, circuitpy: Path) -> None:
    (circuitpy / "code.py").mkdir()
    assert flashed("pico", "--drive", circuitpy, path=tmp_path) == Ran(
        2,
        "",
        f"boardctl: flash: {circuitpy}: Is a directory; make room on the drive, and see that it may be written\n",
    )


def test_the_drive_is_found_where_there_is_just_one(tmp_path: Path) -> None:
    places = [f"{tmp_path}/*/CIRCUITPY"]
    with pytest.raises(CannotFlash, match="no drive CIRCUITPY is mounted"):
        drive(places)
    (tmp_path / "ada" / "CIRCUITPY").mkdir(parents=True)
    assert drive(places) == tmp_path / "ada" / "CIRCUITPY"
    (tmp_path / "bob" / "CIRCUITPY").mkdir(parents=True)
    with pytest.raises(CannotFlash, match=r"ada/CIRCUITPY and .*bob/CIRCUITPY; name one with --drive"):
        drive(places)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (
            ["uno", "--drive", "/media/CIRCUITPY"],
            "--drive is not for an Arduino; leave it out; --port says where it is",
        ),
        (
            ["pico", "--port", "/dev/ttyACM0"],
            "--port is not for a Pico; leave it out; --drive says where it is",
        ),
        (["pico", "--hex", "board.hex"], "--hex is not for a Pico; leave it out; --drive says where it is"),
    ],
)
def test_an_option_of_the_other_sort_is_refused(tmp_path: Path, words: list[str], fault: str) -> None:
    assert flashed(*words, "--dry-run", path=tmp_path) == Ran(2, "", f"boardctl: flash: {fault}\n")
