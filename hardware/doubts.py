"""Single sensors that are not to be believed: contacts that chatter, and buttons that stay down. Pure.

A contact that changes too fast for any reading to count would never be noticed above; here every scan is seen.
"""

from __future__ import annotations

from collections import deque

from hardware.ghosts import numbers

CHATTER_CHANGES = 40
"""More changes of one sensor within `CHATTER_S` than these are no hand's: twenty a second."""
CHATTER_S = 2.0
CHATTER_QUIET_S = 10.0
"""Seconds without a change after which a sensor that chattered is believed again."""
HELD_S = 20.0
"""Seconds after which a button under a cell that is still down is stuck."""


class Doubts:
    """Watches every sensor by itself."""

    def __init__(self, buttons: bool) -> None:
        """`buttons`: a sensor that stays closed is a stuck button, not a piece that lies there."""
        self._buttons = buttons
        self._changes: dict[int, deque[float]] = {}
        self._chattering: dict[int, float] = {}
        self._down: dict[int, float] = {}
        self.chattering = self.stuck = 0
        """The sensors in doubt, as bits."""

    def look(self, before: int, after: int, now: float) -> None:
        """One scan after another, at `now` seconds."""
        for number in numbers(before ^ after):
            self._changed(number, now)
        if self._chattering:
            self._believe_quiet(now)
        if self._buttons:
            self._hold(before, after, now)

    def _changed(self, number: int, now: float) -> None:
        times = self._changes.setdefault(number, deque(maxlen=CHATTER_CHANGES + 1))
        times.append(now)
        if number in self._chattering or (len(times) > CHATTER_CHANGES and now - times[0] <= CHATTER_S):
            self._chattering[number] = now
            self.chattering |= 1 << number

    def _believe_quiet(self, now: float) -> None:
        for number, last in list(self._chattering.items()):
            if now - last >= CHATTER_QUIET_S:
                del self._chattering[number], self._changes[number]
                self.chattering &= ~(1 << number)

    def _hold(self, before: int, after: int, now: float) -> None:
        for number in numbers(before & ~after):
            self._down.pop(number, None)
        for number in numbers(after):
            if now - self._down.setdefault(number, now) >= HELD_S:
                self.stuck |= 1 << number
        self.stuck &= after
