"""The game in a terminal: a live board where there is one, plain lines for pipes and screen readers.

Both understand the same typed words, and a whole game can be played by either. Nothing is decided here: hands and
words go to a `Desk`, and what is drawn is its scene.
"""

from __future__ import annotations

import os
import sys
from typing import Literal, TypeAlias

from boardctl.shells.terminal import plain, words
from boardctl.shells.terminal.desk import Desk

Look: TypeAlias = Literal["live", "lines"]
"""A live board, or plain lines."""


def possible() -> Look:
    """The best that this terminal can do."""
    whole = sys.stdin.isatty() and sys.stdout.isatty()
    return "live" if whole and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "") else "lines"


async def played(desk: Desk, look: Look) -> None:
    """Play until the input ends or says quit.

    With `lines` the judge's sentences are for the caller to print as they come; a live board shows them itself.
    """
    if look == "lines":
        print(words.BEGIN, flush=True)
        await plain.read(desk, sys.stdin.fileno())
    else:
        from boardctl.shells.terminal import screen  # rich takes its time to load

        await screen.shown(desk, words.RESUMED if desk.scene()["resumed"] else words.BEGIN)
