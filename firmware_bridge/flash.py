"""Writing the firmware: to an Arduino with avrdude and its boot loader, to a Pico as files on its drive."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Arduino: TypeAlias = Literal["uno", "nano", "nano-old"]
"""`nano-old`: a Nano with the boot loader of before 2018."""

HEX = Path(__file__).parent / "firmware" / "avr" / "build" / "board.hex"
"""Where `make firmware` puts it."""


@dataclass(frozen=True, slots=True)
class Loader:
    """How a boot loader is talked to."""

    port: str
    """Where such a board mostly turns up on Linux."""
    baud: int


LOADERS: Mapping[Arduino, Loader] = {
    "uno": Loader("/dev/ttyACM0", 115_200),
    "nano": Loader("/dev/ttyUSB0", 115_200),
    "nano-old": Loader("/dev/ttyUSB0", 57_600),
}
"""Speeds as in boards.txt of the Arduino core."""


class CannotFlash(Exception):
    """What is missing, and what to do: "what; remedy"."""


def command(arduino: Arduino, firmware: Path = HEX, port: str | None = None) -> list[str]:
    """What has avrdude write the firmware. Nothing else on the chip is erased: `-D` leaves the boot loader."""
    loader = LOADERS[arduino]
    line = ["-c", "arduino", "-P", port or loader.port, "-b", str(loader.baud)]
    return ["avrdude", "-p", "m328p", *line, "-D", "-U", f"flash:w:{firmware}:i"]


def flash(arduino: Arduino, firmware: Path = HEX, port: str | None = None) -> int:
    """Writes it, avrdude telling how far it is; answers its exit status. Raises `CannotFlash`."""
    if not firmware.is_file():
        raise CannotFlash(f"there is no {firmware}; run make firmware in a clone of the project")
    if shutil.which("avrdude") is None:
        raise CannotFlash("avrdude is not installed; apt install avrdude")
    return subprocess.run(command(arduino, firmware, port), check=False).returncode


# A Pico

PICO = Path(__file__).parent / "firmware" / "pico"
PICO_FILES = ("bridge.py", "boot.py", "code.py")
"""In this order: CircuitPython starts code.py anew after every file."""
DRIVES = (
    "/media/*/CIRCUITPY",
    "/run/media/*/CIRCUITPY",
    "/media/CIRCUITPY",
    "/mnt/CIRCUITPY",
    "/Volumes/CIRCUITPY",
)
"""Where desktops mount the drive of CircuitPython; its label is always this."""
OLDEST = (8, 0)
"""The first CircuitPython that has all that code.py uses."""


def drive(places: Sequence[str] = DRIVES) -> Path:
    """The folder of the one Pico's drive. Raises `CannotFlash`."""
    root = Path("/")
    found = sorted({each for place in places for each in root.glob(place.lstrip("/")) if each.is_dir()})
    if not found:
        raise CannotFlash(
            "no drive CIRCUITPY is mounted; plug the Pico in, put CircuitPython on it, or name the folder with --drive"
        )
    if len(found) > 1:
        names = " and ".join(map(str, found))
        raise CannotFlash(f"there are {names}; name one with --drive")
    return found[0]


def copy_to_pico(folder: Path) -> list[Path]:
    """Copies the firmware to the drive at `folder`; answers what is there now. Raises `CannotFlash`."""
    _needs_circuitpython(folder)
    try:
        return [shutil.copyfile(PICO / name, folder / name) for name in PICO_FILES]
    except OSError as fault:
        why = fault.strerror or fault
        raise CannotFlash(
            f"{folder}: {why}; make room on the drive, and see that it may be written"
        ) from None


def _needs_circuitpython(folder: Path) -> None:
    try:
        told = (folder / "boot_out.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        raise CannotFlash(
            f"{folder} is no drive of CircuitPython: it has no boot_out.txt; name another"
        ) from None
    version = re.search(r"CircuitPython (\d+)\.(\d+)", told)
    if version is None or (int(version[1]), int(version[2])) < OLDEST:
        has = version[0] if version else "something else"
        raise CannotFlash(f"{folder} has {has}; put CircuitPython {OLDEST[0]} or later on the Pico")
