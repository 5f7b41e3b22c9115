"""What it takes to play as a service of systemd, and to be none again: a plan of steps first, then the steps.

A plan depends on nothing but its arguments, so that it can be shown before anything happens. Everything that is
written lies at a fixed place below /etc; what a person wrote there, and the games, are never taken away.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

UNITS = Path("/etc/systemd/system")
DROP_INS = UNITS / "boardctl.service.d"
SETTINGS = Path("/etc/boardctl")

PLACES: Mapping[str, Path] = {
    "boardctl.sysusers.conf": Path("/etc/sysusers.d/boardctl.conf"),
    "60-boardctl.rules": Path("/etc/udev/rules.d/60-boardctl.rules"),
    "boardctl.service": UNITS / "boardctl.service",
    "boardctl.socket": UNITS / "boardctl.socket",
    "boardctl.service.d/network.conf": DROP_INS / "network.conf",
    "boardctl.service.d/pwm.conf": DROP_INS / "pwm.conf",
    "boardctl.toml": SETTINGS / "boardctl.toml",
}
"""Where each file of the folder `systemd` goes."""

PROGRAM = Path("/opt/boardctl/bin/boardctl")
"""The program that the service runs, as its file here says."""
HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""Where the service may not look: ProtectHome=yes and PrivateTmp=yes."""
PLAIN = re.compile(r"/[A-Za-z0-9/._+-]+")
"""A path that means the same to systemd as to everybody else."""


class CannotRun(ValueError):
    """The service cannot run this program."""


class StepFailed(OSError):
    """A step could not be carried out."""


@dataclass(frozen=True, slots=True)
class Write:
    """Write a file; with `keep` only where none lies yet, because people change it."""

    path: Path
    text: str
    keep: bool = False

    def __str__(self) -> str:
        return f"write {self.path}{' unless there is one' if self.keep else ''}"


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a file if it is there; with `unchanged` only where it is still that text."""

    path: Path
    unchanged: str | None = None

    def __str__(self) -> str:
        return f"remove {self.path}{'' if self.unchanged is None else ' unless it was changed'}"


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove a folder if nothing is left in it."""

    path: Path

    def __str__(self) -> str:
        return f"remove {self.path} if it is empty"


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the system, on the running system only; if it is not `needed`, it may fail."""

    words: tuple[str, ...]
    needed: bool = True

    def __str__(self) -> str:
        return f"run {' '.join(self.words)}"


Step: TypeAlias = Write | Remove | Clear | Run


def files() -> dict[str, str]:
    """The files of the folder `systemd`, by name, from a checkout or from what pip installed."""
    checkout = Path(__file__).parents[1] / "systemd"
    installed = Path(sysconfig.get_path("data")) / "share/boardctl/systemd"
    folder = checkout if (checkout / "boardctl.service").is_file() else installed
    return {name: (folder / name).read_text(encoding="utf-8") for name in PLACES}


def runnable(program: Path) -> Path:
    """The program, if the service can run it. Raises `CannotRun` with the reason and the remedy."""
    if not PLAIN.fullmatch(str(program)):
        raise CannotRun(f"{program} is no whole path of plain letters; install boardctl into /opt/boardctl")
    if any(program.is_relative_to(place) for place in HIDDEN):
        raise CannotRun(f"{program} lies where the service may not look; install boardctl into /opt/boardctl")
    return program


def own_program() -> Path:
    """The program that runs just now. Raises `CannotRun` if the service could not run it."""
    runnable(Path(sys.executable).resolve())  # a venv may be at a good place and its Python in a home
    return runnable(Path(sysconfig.get_path("scripts")) / "boardctl")


def installing(
    given: Mapping[str, str], program: Path, *, network: bool = False, pwm: bool = False
) -> tuple[Step, ...]:
    """The steps that make boardctl a service which runs `program`; done again, they bring it up to date.

    `given`: the files by name. `network`: it may open connections. `pwm`: it may drive NeoPixels at a PWM pin, as root.
    """
    wanted = {"boardctl.service.d/network.conf": network, "boardctl.service.d/pwm.conf": pwm}
    return (
        *(
            _placed(name, text.replace(str(PROGRAM), str(program)))
            if wanted.get(name, True)
            else Remove(PLACES[name])
            for name, text in given.items()
        ),
        Run(("systemd-sysusers", str(PLACES["boardctl.sysusers.conf"]))),
        *_udev(),
        Run(("systemctl", "daemon-reload")),
        Run(("systemctl", "stop", "boardctl.service", "boardctl.socket"), needed=False),
        Run(("systemctl", "enable", "--now", "boardctl.socket", "boardctl.service")),
    )


def _placed(name: str, text: str) -> Write:
    return Write(PLACES[name], text, keep=name == "boardctl.toml")


def _udev() -> Iterator[Run]:
    yield Run(("udevadm", "control", "--reload"))
    yield Run(("udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=spidev"))
    yield Run(("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=*-pio"))


def removing(given: Mapping[str, str]) -> tuple[Step, ...]:
    """The steps that take away all that `installing` put there, and nothing else.

    A configuration that was changed stays, and so do the games, the groups and what else lies in the folders.
    """
    reload, *_ = _udev()
    return (
        Run(("systemctl", "disable", "--now", "boardctl.service", "boardctl.socket"), needed=False),
        *(
            Remove(path, given[name] if name == "boardctl.toml" else None)
            for name, path in reversed(list(PLACES.items()))
        ),
        Clear(DROP_INS),
        Clear(SETTINGS),
        Run(("systemctl", "daemon-reload")),
        reload,
    )


def carry_out(step: Step, root: Path, run: Callable[[Sequence[str]], int]) -> None:
    """Do one step in the system below `root`. `run` runs a command and answers its status.

    Raises `StepFailed`, and no other step should follow.
    """
    try:
        match step:
            case Write(path, text, keep):
                _write(_below(root, path), text, keep)
            case Remove(path, unchanged):
                _remove(_below(root, path), unchanged)
            case Clear(path):
                with suppress(OSError):  # it is not there, or not empty
                    _below(root, path).rmdir()
            case Run(words, needed):
                if (status := run(words)) and needed:
                    raise StepFailed(f"{step}: ended with status {status}")
    except StepFailed:
        raise
    except OSError as fault:
        raise StepFailed(f"{step}: {fault.strerror or fault}") from None


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _write(path: Path, text: str, keep: bool) -> None:
    if keep and path.exists():
        return
    _make_folder(path.parent)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


def _make_folder(folder: Path) -> None:
    """A folder that all may enter, whatever the umask of who installs."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir()
        folder.chmod(0o755)


def _remove(path: Path, unchanged: str | None) -> None:
    if path.exists() and (unchanged is None or path.read_text(encoding="utf-8") == unchanged):
        path.unlink()
