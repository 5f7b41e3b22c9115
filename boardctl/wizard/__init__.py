"""`boardctl wizard`: somebody touches a board cell by cell, and its board file and a certificate come of it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from boardctl.wizard.sitting import CannotWrite, Chance, Sitting, sitting

__all__ = ["CannotWrite", "Chance", "Sitting", "sitting", "spend"]

INTERRUPTED = 128 + signal.SIGINT
"""Exit status after Ctrl-C, as shells have it."""


def spend(sit: Sitting, *, web: bool, host: str, port: int) -> int:
    """Ask on a page or in the terminal until all is learnt, somebody stops, or a signal ends it.

    Answers the exit status: 0, 1 where the board has faults, 130 after a signal. Raises `CannotServe`, `CannotWrite`.
    """
    try:
        with _ended_by_signal():
            _ask(sit, web, host, port)
    except KeyboardInterrupt:
        print(sit.stopped, flush=True)
        return INTERRUPTED
    print(*sit.ending, sep="\n", flush=True)
    return 1 if sit.found is not None and sit.found.findings else 0


def _ask(sit: Sitting, web: bool, host: str, port: int) -> None:
    if web:
        from boardctl.wizard import page

        page.ask(sit, host, port)
    else:
        from boardctl.wizard import terminal

        terminal.ask(sit)


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Being told to end is like Ctrl-C, so that the lights go out."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
