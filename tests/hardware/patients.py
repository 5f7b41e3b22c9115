"""Machines for the doctor: a folder tree for files and made-up answers for the rest, healthy until told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardware import board_file
from hardware.board_file import BoardFile, Pixels
from hardware.doctor import Case
from hardware.doctoring.machine import Machine, Module, NotLoaded

ON = "dtparam=spi=on\n[pi4]\ncore_freq=500\n[all]\n"
LGPIO = Module("/usr/lib/python3/dist-packages/lgpio.py", frozenset({"gpiochip_open"}))
BLINKA = Module("/opt/boardctl/lib/python3.11/site-packages/board.py", frozenset({"__blinka__", "D10"}))


@dataclass(frozen=True)
class Patient:
    """A machine: everything that a test may change of one. A file whose text is None is not there."""

    files: Mapping[str, str | None]
    labels: Mapping[str, str]
    modules: Mapping[str, Module | str]
    """What loads; or why it does not."""
    versions: Mapping[str, str | None]
    python: str
    venv: bool = True
    user: str = "pi"
    superuser: bool = False
    groups: frozenset[str] = frozenset({"pi", "gpio", "spi", "dialout"})
    environment: Mapping[str, str] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()
    free: int = 20_000_000_000
    commands: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[int, str] = field(default_factory=dict)
    processes: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """By number: the name, and a file that the process has open."""

    def but(self, **changes: Any) -> Patient:
        """The same, but for this; of a mapping only the keys that are given change."""
        merged = {
            key: {**getattr(self, key), **value} if isinstance(value, dict) else value
            for key, value in changes.items()
        }
        return replace(self, **merged)

    def machine(self, root: Path) -> Machine:
        """The machine, with its files below a folder."""
        for path, text in self.files.items():
            if text is not None:
                _written(root, path, text)
        for number, (name, opened) in self.processes.items():
            _written(root, f"/proc/{number}/comm", f"{name}\n")
            (root / f"proc/{number}/fd").mkdir()
            (root / f"proc/{number}/fd/3").symlink_to(opened)
        return Machine(
            root=root,
            environment=self.environment,
            folder=f"/home/{self.user}",
            user=self.user,
            superuser=self.superuser,
            groups=self.groups,
            python=self.python,
            prefix="/opt/boardctl",
            venv=self.venv,
            may=lambda path: path not in self.closed,
            free=lambda _: self.free,
            command=lambda words: self.commands.get(" ".join(words)),
            load=self._load,
            version=self.versions.get,
            label=self._label,
            holder=lambda _, line: self.held.get(line),
        )

    def case(self, root: Path, board: BoardFile | None) -> Case:
        """The machine with a board that is to hang on it."""
        return Case(self.machine(root), board, f"/home/{self.user}/.local/state/boardctl")

    def _load(self, name: str) -> Module:
        module = self.modules[name]
        if isinstance(module, str):
            raise NotLoaded(module)
        return module

    def _label(self, chip: str) -> str:
        if chip in self.closed:
            raise PermissionError(13, "Permission denied", chip)
        return self.labels[chip]


def _written(root: Path, path: str, text: str) -> None:
    file = root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


ZERO = Patient(
    files={
        "/proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
        "/proc/modules": "spidev 24576 0 - Live 0x0000000000000000\n",
        "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n',
        "/etc/rpi-issue": "Raspberry Pi reference 2025-05-13\n",
        "/etc/group": "root:x:0:\ngpio:x:986:pi\nspi:x:989:\n",
        "/usr/lib/python3.11/EXTERNALLY-MANAGED": "",
        "/usr/lib/python3/dist-packages/lgpio.py": "",
        "/opt/boardctl/pyvenv.cfg": "include-system-site-packages = true\n",
        "/sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "/sys/bus/gpio/devices/gpiochip0/of_node/compatible": "brcm,bcm2835-gpio\0",
        "/sys/module/spidev/parameters/bufsiz": "4096\n",
        "/run/systemd/timesync/synchronized": "",
        "/dev/gpiochip0": "",
        "/dev/gpiochip1": "",
        "/dev/spidev0.0": "",
        "/boot/firmware/config.txt": f"{ON}core_freq=250\n",
        "/boot/firmware/cmdline.txt": "console=serial0,115200 console=tty1 root=PARTUUID=1 rootwait",
        "/home/pi/.bashrc": "",
    },
    labels={"/dev/gpiochip0": "pinctrl-bcm2835", "/dev/gpiochip1": "raspberrypi-exp-gpio"},
    modules={"lgpio": LGPIO, "board": BLINKA},
    versions={
        "lgpio": "0.2.2.0",
        "gpiozero": "2.0.1.post3",
        "adafruit-blinka": "10.0.0",
        "rpi_ws281x": "5.0.0",
        "gpiod": "2.4.0",
        "pyserial": "3.5",
        "cobs": "1.2.2",
    },
    python="3.11.2",
)
"""A Raspberry Pi Zero 2 W on bookworm, healthy, for pixels through SPI."""

FIVE = replace(
    ZERO.but(
        files={
            "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
            "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n',
            "/usr/lib/python3.11/EXTERNALLY-MANAGED": None,
            "/usr/lib/python3.13/EXTERNALLY-MANAGED": "",
            "/sys/devices/platform/soc/soc:firmware/get_throttled": None,
            "/sys/bus/gpio/devices/gpiochip0/of_node/compatible": "raspberrypi,rp1-gpio\0",
            "/dev/gpiochip10": "",
            "/dev/pio0": "",
        },
        labels={"/dev/gpiochip0": "pinctrl-rp1", "/dev/gpiochip10": "gpio-brcmstb@107d508500"},
        versions={"rpi_ws281x": None, "adafruit-blinka-raspberry-pi5-neopixel": "1.0.0rc2"},
        commands={"vcgencmd get_throttled": "throttled=0x0"},
    ),
    python="3.13.5",
)
"""A Raspberry Pi 5 on trixie, healthy, for pixels through PIO."""

PC = Patient(
    files={
        "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n',
        "/home/anna/.profile": "",
    },
    labels={},
    modules={
        "lgpio": "ModuleNotFoundError: No module named 'lgpio'",
        "board": "NotImplementedError: Board not supported.",
    },
    versions={},
    python="3.12.3",
    user="anna",
    groups=frozenset({"anna"}),
)
"""A PC with nothing but boardctl on it."""

REED = board_file.read(board_file.found("reed-8x8"))
SERIAL = board_file.read(board_file.found("serial-8x8"))
HALLS = board_file.read(board_file.found("hall-8x8"))


def lit_through(way: str, pin: int, count: int = 64) -> BoardFile:
    """The board of reeds with its pixels driven so."""
    return REED.model_copy(
        update={"pixels": Pixels.model_validate({"count": count, "through": way, "pin": pin})}
    )


PWM, PIO, BARE = lit_through("pwm", 18), lit_through("pio", 18), REED.model_copy(update={"pixels": None})
