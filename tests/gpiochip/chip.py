"""The simulated GPIO chip: building it, a board on its pins, and programs that run with both."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SIDE = 16
INPUT, LOW, HIGH = range(3)
"""What a line does: nothing, or drive."""


class Moment(ctypes.Structure):
    """A line began to do this."""

    _fields_ = [("pin", ctypes.c_uint8), ("drives", ctypes.c_uint8)]


class State(ctypes.Structure):
    """The board and the chip, as `struct board` of gpiochip.c."""

    _fields_ = [
        ("calls", ctypes.c_uint64),
        ("claims", ctypes.c_uint64),
        ("shorts", ctypes.c_uint64),
        ("alerts", ctypes.c_uint64),
        ("transfers", ctypes.c_uint64),
        ("moments", ctypes.c_uint32),
        ("broken", ctypes.c_uint32),
        ("diodes", ctypes.c_uint32),
        ("rows", ctypes.c_uint32),
        ("columns", ctypes.c_uint32),
        ("closed", ctypes.c_uint32 * SIDE),
        ("bare", ctypes.c_uint32 * SIDE),
        ("backwards", ctypes.c_uint32 * SIDE),
        ("row_pin", ctypes.c_uint8 * SIDE),
        ("column_pin", ctypes.c_uint8 * SIDE),
        ("pressed", ctypes.c_uint8 * 64),
        ("resistor", ctypes.c_uint8 * 64),
        ("drives", ctypes.c_uint8 * 64),
        ("holder", (ctypes.c_char * 32) * 64),
        ("label", ctypes.c_char * 32),
        ("select_pin", ctypes.c_uint8 * 4),
        ("hall", (ctypes.c_uint16 * 16) * 8),
        ("moment", Moment * 8192),
    ]


def missing() -> str | None:
    """Why the chip cannot be simulated here, or None."""
    if not sys.platform.startswith("linux"):
        return "the simulated GPIO chip needs Linux. The real lgpio was NOT tried"
    if shutil.which("gcc") is None:
        return "gcc is missing: apt install gcc libc6-dev. The real lgpio was NOT tried"
    if find_spec("lgpio") is None or find_spec("gpiozero") is None:
        return "lgpio or gpiozero is missing: pip install 'boardctl[pi]'. The real lgpio was NOT tried"
    return None


def built(folder: Path) -> Path:
    """The library, built into a folder."""
    library = folder / "gpiochip.so"
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(library), str(HERE / "gpiochip.c"), "-ldl"], check=True, timeout=120)
    return library


class Chip:
    """One chip with one board, and the programs that run on it."""

    def __init__(self, library: Path, folder: Path) -> None:
        """`folder`: for the state, and for what lgpio leaves lying about."""
        self._library, self._file = library, folder / "board"
        self.folder = folder
        self._file.write_bytes(bytes(ctypes.sizeof(State)))
        self.state = mapped(self._file)
        self.state.label = b"pinctrl-bcm2835"
        self.state.diodes = 1

    def matrix(self, rows: Sequence[int], columns: Sequence[int], *, diodes: bool = True) -> None:
        """Hangs a matrix of switches on these pins."""
        self.state.rows, self.state.columns, self.state.diodes = len(rows), len(columns), diodes
        self.state.row_pin[: len(rows)] = rows
        self.state.column_pin[: len(columns)] = columns

    @property
    def environment(self) -> dict[str, str]:
        """What a program has to be started with."""
        plain = {
            key: value for key, value in os.environ.items() if key not in ("GPIOZERO_PIN_FACTORY", "LG_WD")
        }
        return plain | {
            "LD_PRELOAD": str(self._library),
            "GPIOCHIP_BOARD": str(self._file),
            "LG_WD": str(self.folder),
            "PYTHONWARNINGS": "error",
        }

    def run(self, scene: str, *words: str) -> Any:
        """Has a scene of scenes.py played by another process; answers what it answers."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.gpiochip.scenes", scene, *words],
            cwd=HERE.parent.parent,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{scene} ended with {done.returncode}:\n{done.stderr}")
        return json.loads(done.stdout)


def mapped(file: Path) -> State:
    """The state in a file, shared with whoever maps it too."""
    with file.open("r+b") as opened:
        return State.from_buffer(mmap.mmap(opened.fileno(), ctypes.sizeof(State)))


def close(state: State, switches: Iterable[int]) -> None:
    """Have just these switches closed, by number, row by row."""
    rows = [0] * SIDE
    for switch in switches:
        row, column = divmod(switch, state.columns)
        rows[row] |= 1 << column
    state.closed[:] = rows


def moments(state: State) -> list[tuple[int, int]]:
    """What lines did so far: pin, and what it began to do."""
    return [(each.pin, each.drives) for each in state.moment[: state.moments]]
