"""The machine that is examined: its files, rights, commands and modules, all through one door.

A test hands in a folder for the root of the files and its own answers for the rest; so every fault of a Raspberry Pi
can be had on a PC. Nothing is changed on the machine, and no library is loaded into this process: loaded elsewhere,
it may ask, hang or crash as it likes.

The numbers of the calls and the places in their answers are those of linux/gpio.h: `GPIO_GET_CHIPINFO_IOCTL` and
`GPIO_V2_GET_LINEINFO_IOCTL`.
"""

from __future__ import annotations

import fcntl
import getpass
import grp
import json
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 20.0
"""Seconds that a command may take; loading a library takes some on the smallest Pi."""

CHIP_INFO, CHIP_INFO_SIZE = 0x8044B401, 68
LINE_INFO, LINE_INFO_SIZE = 0xC100B405, 256
LABEL, CONSUMER = slice(32, 64), slice(32, 64)
OFFSET_AT, FLAGS_AT = 64, 72
USED = 1

LOADING = """\
import importlib, json, sys
module = importlib.import_module(sys.argv[1])
print(json.dumps([getattr(module, "__file__", None) or "", dir(module)]))
"""


class NotLoaded(Exception):
    """A module that does not load, and why: the last words of Python."""


class Module(NamedTuple):
    """A module that loads: where it lies, and the names in it."""

    file: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine. All paths are those on the machine, from its root: `/dev/gpiochip0`."""

    root: Path
    """Where its files are to be found."""
    environment: Mapping[str, str]
    folder: str
    """The working folder."""
    user: str
    superuser: bool
    groups: frozenset[str]
    """Groups that this process is in, by name."""
    python: str
    """The version: `3.11.2`."""
    prefix: str
    """Where this Python has its packages."""
    venv: bool
    """Whether that is a virtual environment."""
    may: Callable[[str], bool]
    """Whether we may read and write this file, or write in this folder."""
    free: Callable[[str], int]
    """Bytes that are free in this folder. Raises OSError."""
    command: Callable[[Sequence[str]], str | None]
    """What a command prints; None where it is not there or fails."""
    load: Callable[[str], Module]
    """A module of this Python, loaded in another process. Raises `NotLoaded`."""
    version: Callable[[str], str | None]
    """The version of an installed package."""
    label: Callable[[str], str]
    """What a GPIO chip calls itself: `pinctrl-rp1`. Raises OSError."""
    holder: Callable[[str, int], str | None]
    """What the one who has this line of a chip calls itself; None where it is free. Raises OSError."""

    def at(self, path: str) -> Path:
        """Where a file of the machine lies here."""
        return self.root / path.lstrip("/")

    def exists(self, path: str) -> bool:
        """Whether there is such a file, as far as we may see."""
        try:
            return self.at(path).exists()
        except OSError:
            return False

    def text(self, path: str) -> str | None:
        """What a file says, without the white space and the zeros at its ends; None where there is none.

        Raises OSError where it cannot be read.
        """
        try:
            return self.at(path).read_text(encoding="utf-8", errors="replace").strip("\0 \n\t")
        except (FileNotFoundError, NotADirectoryError):
            return None

    def paths(self, pattern: str) -> list[str]:
        """The files of a pattern, in order: `/dev/gpiochip*`."""
        found = self.root.glob(pattern.lstrip("/"))
        return sorted(f"/{path.relative_to(self.root)}" for path in found)

    def processes(self, name: str) -> list[int]:
        """The processes of this name."""
        return [number for number in self._processes() if self._name(number) == name]

    def holders(self, *targets: str) -> list[str]:
        """Other processes that have one of these files open, as far as we may see: `python3, process 812`."""
        own = os.getpid()
        numbers = (number for number in self._processes() if number != own)
        return [
            f"{self._name(number)}, process {number}"
            for number in numbers
            if any(link.startswith(target) for link in self._open(number) for target in targets)
        ]

    def _processes(self) -> list[int]:
        return sorted(int(path.name) for path in self.root.glob("proc/[0-9]*"))

    def _name(self, process: int) -> str:
        with suppress(OSError):  # it may have ended meanwhile
            return self.text(f"/proc/{process}/comm") or ""
        return ""

    def _open(self, process: int) -> list[str]:
        """What a process has open; nothing where we may not see that."""
        links: list[str] = []
        with suppress(OSError):
            for link in self.at(f"/proc/{process}/fd").iterdir():
                with suppress(OSError):
                    links.append(str(link.readlink()))
        return links


# This machine


def this_machine() -> Machine:
    """The machine that we run on."""
    return Machine(
        root=Path("/"),
        environment=os.environ,
        folder=_folder(),
        user=_user(),
        superuser=os.geteuid() == 0,
        groups=frozenset(_groups()),
        python=platform.python_version(),
        prefix=sys.prefix,
        venv=sys.prefix != sys.base_prefix,
        may=lambda path: os.access(path, os.R_OK | os.W_OK),
        free=lambda path: shutil.disk_usage(path).free,
        command=_printed,
        load=_loaded,
        version=_version,
        label=_label,
        holder=_holder,
    )


def _folder() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:  # somebody has removed it
        return "."


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name
        return str(os.getuid())


def _groups() -> Iterator[str]:
    for number in {os.getegid(), *os.getgroups()}:
        with suppress(KeyError):
            yield grp.getgrgid(number).gr_name


def _printed(words: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _loaded(name: str) -> Module:
    with tempfile.TemporaryDirectory(prefix="boardctl-") as folder:  # lgpio makes a pipe where it is loaded
        environment = os.environ | {"LG_WD": folder, "BLINKA_SKIP_DEPENDENCY_CHECK": "1"}
        try:
            done = subprocess.run(
                [sys.executable, "-c", LOADING, name],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=PATIENCE_S,
                env=environment,
            )
        except (OSError, subprocess.SubprocessError) as fault:
            raise NotLoaded(str(fault)) from None
    if done.returncode:
        raise NotLoaded(_last_words(done.stderr, done.returncode))
    file, names = json.loads(done.stdout.splitlines()[-1])
    return Module(file, frozenset(names))


def _last_words(errors: str, status: int) -> str:
    said = [line.strip() for line in errors.splitlines() if line.strip()]
    return said[-1] if said else f"it ends with {status}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _label(chip: str) -> str:
    return label_in(_asked(chip, CHIP_INFO, bytearray(CHIP_INFO_SIZE)))


def _holder(chip: str, line: int) -> str | None:
    question = bytearray(LINE_INFO_SIZE)
    struct.pack_into("=I", question, OFFSET_AT, line)
    return holder_in(_asked(chip, LINE_INFO, question))


def _asked(chip: str, call: int, question: bytearray) -> bytearray:
    with Path(chip).open("rb") as opened:
        fcntl.ioctl(opened, call, question)
    return question


def label_in(answer: bytes | bytearray) -> str:
    """The label in a `gpiochip_info`."""
    return _word(answer[LABEL])


def holder_in(answer: bytes | bytearray) -> str | None:
    """Who has the line of a `gpio_v2_line_info`: its word, `somebody` where it gave none; None where it is free."""
    (flags,) = struct.unpack_from("=Q", answer, FLAGS_AT)
    return (_word(answer[CONSUMER]) or "somebody") if flags & USED else None


def _word(letters: bytes | bytearray) -> str:
    return letters.partition(b"\0")[0].decode(errors="replace")
