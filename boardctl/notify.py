"""What a service manager is told by us, and what it passes to us: readiness, signs of life, sockets that listen.

The protocols are systemd's, as sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3) describe them. Where nobody
started us so, nothing is told and nothing is passed.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

FIRST_PASSED = 3
"""The descriptor of the first socket passed; the others follow it."""
LONGEST_S = 0.5
"""Seconds to wait, at most, for a service manager that is too busy to hear."""
SIGNS = 3
"""Signs of life in the time after which we would be taken for dead."""


class NotListening(OSError):
    """What was passed is no socket that listens for connections."""


@dataclass(frozen=True, slots=True)
class Service:
    """What the service manager expects of this process and passed to it."""

    address: str = ""
    """The Unix datagram socket it hears us at: a path, or @ and a name in the abstract namespace."""
    patience: float = 0.0
    """Seconds without a sign of life after which it ends us; 0: it does not watch."""
    sockets: int = 0
    """How many listening sockets it passed."""

    def tell(self, fact: str) -> None:
        """Tell it one fact, such as `READY=1`. Whether it hears us changes nothing for the game."""
        if not self.address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.settimeout(LONGEST_S)
            line.sendto(fact.encode(), _named(self.address))

    def passed(self) -> list[socket.socket]:
        """The sockets it passed, for this process alone. Raises `NotListening`."""
        return [_listening(FIRST_PASSED + number) for number in range(self.sockets)]


NOBODY = Service()
"""A person started us, or a service manager that wants nothing."""


def _named(address: str) -> str:
    return f"\0{address[1:]}" if address.startswith("@") else address


def _listening(descriptor: int) -> socket.socket:
    try:
        passed = socket.socket(fileno=descriptor)
    except OSError as fault:
        raise NotListening(f"descriptor {descriptor}: {fault.strerror}") from None
    if not passed.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        passed.detach()
        raise NotListening(f"descriptor {descriptor} does not listen for connections")
    passed.set_inheritable(False)
    return passed


def service(environ: Mapping[str, str], pid: int) -> Service:
    """What the environment tells process `pid`; what is meant for another process is not ours."""
    address = environ.get("NOTIFY_SOCKET", "")
    watched = environ.get("WATCHDOG_PID", str(pid)) == str(pid)
    given = environ.get("LISTEN_PID") == str(pid)
    return Service(
        address=address if address.startswith(("/", "@")) else "",
        patience=_number(environ, "WATCHDOG_USEC") / 1e6 if watched else 0.0,
        sockets=_number(environ, "LISTEN_FDS") if given else 0,
    )


def _number(environ: Mapping[str, str], name: str) -> int:
    text = environ.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() else 0


class Duty:
    """What we owe a service manager while we play: to say when we are ready, that we live, and when we stop.

    `READY=1` comes with the first look at the board after the page was opened, `WATCHDOG=1` with later looks and
    with nothing else: a program that no longer looks at its board is dead, whatever else still runs in it.
    """

    def __init__(self, service: Service, clock: Callable[[], float]) -> None:
        """`clock`: seconds that never go back."""
        self._service, self._clock = service, clock
        self._opened = self._stopping = False
        self._told_at: float | None = None

    def opened(self) -> None:
        """The page answers, or there is to be none."""
        self._opened = True

    def looked(self) -> None:
        """The board was looked at, all of it."""
        if not self._opened or self._stopping:
            return
        now, patience = self._clock(), self._service.patience
        if self._told_at is None:
            self._told("READY=1", now)
        elif patience and now - self._told_at >= patience / SIGNS:
            self._told("WATCHDOG=1", now)

    def _told(self, fact: str, now: float) -> None:
        self._service.tell(fact)
        self._told_at = now

    def stopping(self) -> None:
        """We begin to end. Says so once."""
        if not self._stopping:
            self._stopping = True
            self._service.tell("STOPPING=1")
