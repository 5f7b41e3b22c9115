"""Writing the firmware to an Arduino, with avrdude and the boot loader that is on it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
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
