"""One examination: the machine, the board that is to hang on it, and what a look at either may say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from hardware.board_file import BoardFile, MultiplexedWiring, Pixels, SerialWiring, uses
from hardware.doctoring.machine import Machine

State = Literal["ok", "wrong", "skip"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one look found; where that is wrong, the one command or line that mends it."""

    state: State
    found: str
    remedy: str | None = None


def ok(found: str) -> Said:
    """As it should be."""
    return Said("ok", found)


def wrong(found: str, remedy: str) -> Said:
    """Not as it should be."""
    return Said("wrong", found, remedy)


def skip(found: str) -> Said:
    """Nothing to say here, and nothing wrong."""
    return Said("skip", found)


@dataclass(frozen=True, slots=True)
class Case:
    """Who is examined, and what for."""

    machine: Machine
    board: BoardFile | None
    """The board that is to work here; None where none is named, or its file is wrong."""
    state: str
    """Where games are kept."""

    @property
    def model(self) -> str:
        """The Raspberry Pi, as its firmware names it; empty on any other machine."""
        return self.machine.text("/proc/device-tree/model") or ""

    @property
    def pi5(self) -> bool:
        """Whether its pins hang on the RP1."""
        return "Raspberry Pi 5" in self.model or "Compute Module 5" in self.model

    @property
    def pins(self) -> bool:
        """Whether pins are needed: the board has some; or none is named, and who has a Pi will want them."""
        return bool(self.model) if self.board is None else bool(uses(self.board))

    @property
    def pixels(self) -> Pixels | None:
        """The pixels that hang on this machine."""
        pixels = self.board.pixels if self.board else None
        return pixels if pixels and pixels.through != "serial" else None

    @property
    def buses(self) -> dict[str, str]:
        """The SPI devices that the board needs, and what for."""
        needed: dict[str, str] = {}
        if self.board and isinstance(halls := self.board.sensors, MultiplexedWiring):
            needed[f"/dev/spidev{halls.bus[-1]}.{halls.device}"] = "its sensors"
        if self.pixels and self.pixels.through == "spi":
            needed["/dev/spidev0.0"] = "its pixels"
        return needed

    @property
    def cable(self) -> SerialWiring | None:
        """The cable to the board's microcontroller."""
        sensors = self.board.sensors if self.board else None
        return sensors if isinstance(sensors, SerialWiring) else None

    def missing(self, found: str, remedy: str, *, needed: bool) -> Said:
        """Something is not here: wrong only where the board needs it."""
        return wrong(found, remedy) if needed else skip(f"missing here: {found}")

    def joining(self, group: str) -> str:
        """How we come into a group whose files are closed to us."""
        machine = self.machine
        if group in machine.groups:  # so it is the file that is not the group's
            return "sudo boardctl install-service, whose rules open it"
        lines = (machine.text("/etc/group") or "").splitlines()
        members = next((line.split(":")[3].split(",") for line in lines if line.startswith(f"{group}:")), [])
        if machine.user in members:
            return f"log out and in again: {machine.user} is in the group {group} since the last login"
        return f"sudo usermod -aG {group} {machine.user}, then log in again"

    def pip(self, *packages: str) -> str:
        """How packages come to this Python."""
        words = " ".join(f"'{package}'" for package in packages)
        if self.machine.venv:
            return f"{self.machine.prefix}/bin/pip install {words}"
        return f"in a virtual environment: pip install {words}"

    @property
    def raspberry_pi_os(self) -> bool:
        """Whether the system is Raspberry Pi OS, whose archive has the libraries for pins."""
        return self.machine.exists("/etc/rpi-issue")

    @property
    def config_file(self) -> str:
        """Where the firmware is told what to switch on."""
        new, old = "/boot/firmware/config.txt", "/boot/config.txt"
        return old if self.machine.exists(old) and not self.machine.exists(new) else new

    def set_in_config(self, *lines: str) -> str:
        """How a setting of the firmware is made."""
        return f"write {' and '.join(lines)} below [all] in {self.config_file} and restart"

    def config(self) -> dict[str, str]:
        """What the firmware is told, as far as it holds for this model: `core_freq`, `dtparam=spi`."""
        said: dict[str, str] = {}
        holds = True
        for line in (self.machine.text(self.config_file) or "").splitlines():
            line = line.partition("#")[0].strip()
            if line.startswith("["):
                holds = line.strip("[]").lower() in self._filters()
            elif holds and "=" in line:
                said |= _settings(line)
        return said

    def _filters(self) -> set[str]:
        """The sections of config.txt that hold for this model (raspberrypi.com: conditional filters)."""
        model = self.model
        for name, filters in _FILTERS.items():
            if name in model:
                return {"all", *filters}
        return {"all"}


_FILTERS = {
    "Zero 2 W": ("pi0", "pi02"),
    "Zero": ("pi0",),
    "Pi 400": ("pi4", "pi400"),
    "Pi 500": ("pi5", "pi500"),
    "Pi 2": ("pi2",),
    "Pi 3 Model B Plus": ("pi3", "pi3+"),
    "Pi 3": ("pi3",),
    "Pi 4": ("pi4",),
    "Pi 5": ("pi5",),
    "Compute Module 3": ("pi3", "cm3"),
    "Compute Module 4": ("pi4", "cm4"),
    "Compute Module 5": ("pi5", "cm5"),
}


def _settings(line: str) -> dict[str, str]:
    key, _, value = (part.strip() for part in line.partition("="))
    if key not in ("dtparam", "dtoverlay"):
        return {key: value}
    if key == "dtoverlay":
        return {f"dtoverlay={value.partition(',')[0]}": value.partition(",")[2]}
    pairs = (each.partition("=") for each in value.split(","))
    return {f"dtparam={name}": setting or "on" for name, _, setting in pairs}


def older(version: str, than: str) -> bool:
    """Whether a version is older than another: `2.0.1` than `2.0.1.post3`."""
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", version)]
