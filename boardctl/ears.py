"""The sockets that the page is served on: one of our own, or those a service manager listens at for us."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boardctl.notify import NotListening, Service

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class CannotServe(OSError):
    """The page cannot be served there."""


@dataclass(frozen=True, slots=True)
class Ear:
    """A socket that listens."""

    socket: socket.socket
    host: str
    """The address it was bound to, by number or by name; empty for a Unix socket."""

    @property
    def private(self) -> bool:
        """Whether only people on this machine reach it; who may open a Unix socket is for the system to say."""
        return not self.host or self.host in LOOPBACK


@contextlib.contextmanager
def listening(service: Service, host: str, port: int) -> Iterator[Sequence[Ear]]:
    """The sockets passed by a service manager; where there are none, one of our own. Raises `CannotServe`."""
    with contextlib.ExitStack() as open_sockets:
        try:
            passed = [open_sockets.enter_context(each) for each in service.passed()]
        except NotListening as fault:
            raise CannotServe(f"{fault}; pass stream sockets, as boardctl.socket does") from None
        yield [Ear(each, _host(each)) for each in passed] or [
            Ear(open_sockets.enter_context(_bound(host, port)), host)
        ]


def _host(passed: socket.socket) -> str:
    return "" if passed.family == socket.AF_UNIX else str(passed.getsockname()[0])


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `CannotServe`."""
    try:
        own = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        try:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            own.bind((host, port))
            own.listen(64)
        except OSError:
            own.close()
            raise
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise CannotServe(
            f"the page cannot be served on {host}, port {port}: {reason}; choose another port"
        ) from None
    return own


def names(host: str) -> list[str]:
    """What a page that is served on this address may be asked for by."""
    name = socket.gethostname()
    return [host] if host in LOOPBACK else [host, name, f"{name}.local"]


def reachable(host: str) -> str:
    """An address that others can open: for all interfaces, the one that leads out of this machine."""
    if host not in ("0.0.0.0", "::"):
        return host
    family, far = (socket.AF_INET, "192.0.2.1") if host == "0.0.0.0" else (socket.AF_INET6, "2001:db8::1")
    try:
        with socket.socket(
            family, socket.SOCK_DGRAM
        ) as asking:  # nothing is sent: the system only picks the way
            asking.connect((far, 9))
            return str(asking.getsockname()[0])
    except OSError:  # no way out, or no network for this process at all
        return socket.gethostname()
