"""A service manager's end of the line: it hears facts, passes sockets, and can forbid the network as systemd does."""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 30.0
ROOT = Path(__file__).parents[2]
SYS_SOCKET = {"x86_64": 41, "aarch64": 198}.get(platform.machine())
"""The number of the system call that makes a socket."""

STARTER = """
import ctypes, fcntl, os, struct, sys
passed, forbidden, journal, *command = sys.argv[1:]
high = [fcntl.fcntl(int(each), fcntl.F_DUPFD, 200) for each in passed.split()]
for number, descriptor in enumerate(high, 3):
    os.dup2(descriptor, number)
    os.close(descriptor)
if high:
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(high))}
os.environ["WATCHDOG_PID"] = str(os.getpid())
if int(journal):
    out = os.fstat(1)
    os.environ["JOURNAL_STREAM"] = f"{out.st_dev}:{out.st_ino}"
if int(forbidden):  # RestrictAddressFamilies=AF_UNIX: any other socket(2) ends with EAFNOSUPPORT
    steps = [
        (0x20, 0, 0, 0),  # load the number of the call
        (0x15, 0, 3, int(forbidden)),  # not socket: allow
        (0x20, 0, 0, 16),  # load its first argument
        (0x15, 1, 0, 1),  # AF_UNIX: allow
        (0x06, 0, 0, 0x00050000 + 97),
        (0x06, 0, 0, 0x7FFF0000),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program, 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execv(command[0], command)
"""
"""What stands between the manager and the program: only the program's own process knows its number."""


class Line:
    """The datagram socket that facts arrive at. `address` as in NOTIFY_SOCKET: a path, or @ and a name."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        if not address.startswith("@"):
            Path(address).unlink(missing_ok=True)  # an earlier manager's
        self._ear.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
        self._ear.settimeout(PATIENCE_S)

    def hear(self) -> str:
        """The next fact."""
        return self._ear.recv(4096).decode()

    def until(self, fact: str) -> list[str]:
        """All facts up to this one."""
        heard = [self.hear()]
        while heard[-1] != fact:
            heard.append(self.hear())
        return heard

    def rest(self) -> list[str]:
        """All facts that have come and were not heard yet."""
        self._ear.setblocking(False)
        heard = []
        try:
            while True:
                heard.append(self.hear())
        except BlockingIOError:
            return heard
        finally:
            self._ear.settimeout(PATIENCE_S)

    def close(self) -> None:
        self._ear.close()


@contextmanager
def line(address: str) -> Iterator[Line]:
    heard = Line(address)
    try:
        yield heard
    finally:
        heard.close()


class Unit:
    """The program while it runs as a service."""

    def __init__(self, process: subprocess.Popen[str], line: Line) -> None:
        self.process, self.line = process, line

    def stop(self) -> int:
        """SIGTERM, as systemd stops a service. Answers the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


@contextmanager
def started(
    folder: Path,
    config: str,
    passed: Sequence[socket.socket | int] = (),
    *,
    watchdog_s: float = 0.0,
    network: bool = True,
    journal: bool = False,
) -> Iterator[Unit]:
    """`boardctl run` with this configuration, told of a manager and given its sockets.

    `network`: it may open sockets other than Unix ones. `journal`: what it prints is said to go to the journal.
    """
    file = folder / "boardctl.toml"
    file.write_text(config)
    numbers = [each if isinstance(each, int) else each.fileno() for each in passed]
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": str(folder / "notify"),
        "WATCHDOG_USEC": str(round(watchdog_s * 1e6)),
        "XDG_STATE_HOME": str(folder),
    }
    forbidden = 0 if network else SYS_SOCKET
    starter = [sys.executable, "-c", STARTER]
    command = [sys.executable, "-m", "boardctl.cli", "run", "--config", str(file)]
    with line(environ["NOTIFY_SOCKET"]) as heard:
        process = subprocess.Popen(
            [*starter, " ".join(map(str, numbers)), str(forbidden), str(int(journal)), *command],
            env=environ,
            pass_fds=numbers,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        try:
            yield Unit(process, heard)
        finally:
            process.kill()
            process.communicate()


@contextmanager
def listening_at_port() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as ear:
        yield ear


@contextmanager
def listening_at_path(path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind(str(path))
        ear.listen()
        yield ear
