"""Switches on GPIO pins: at the crossings of rows and columns, or one pin each. Through gpiozero's pin factories.

Rows are open drain: driven low one at a time, floating else, never driven high, so that two closed switches of one
column short nothing. On lgpio whole groups of lines are written and read, which takes two kernel calls a row and one
more; on any other factory, the mock one too, pin by pin. Columns are plain inputs without edge alerts, which would
cost a thread that polls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.scanner import Seen

Spin = Callable[[float], None]
"""Lets so many seconds go by without giving the processor away: sleeping would take ten times as long."""


def spin(seconds: float) -> None:
    """Wait so long, busy."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Reserving:
    """Something that reserves pins of a gpiozero factory, as gpiozero's own devices do."""

    def _conflicts_with(self, other: object) -> bool:
        """No pin is shared with anybody."""
        return other is not self


class PinMatrix(Reserving):
    """A matrix read pin by pin: a `Scanner` on any factory."""

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], factory: Any, settle_s: float, wait: Spin = spin
    ) -> None:
        """Raises gpiozero's `GPIOPinInUse` where somebody else has one of the pins."""
        factory.reserve_pins(self, *rows, *columns)
        self._factory, self._settle_s, self._wait = factory, settle_s, wait
        self._rows = [factory.pin(pin) for pin in rows]
        self._columns = [factory.pin(pin) for pin in columns]
        for pin in self._rows:
            pin.function = "input"
        for pin in self._columns:
            pin.input_with_pull("up")

    def scan(self) -> Seen:
        """Every crossing, row by row."""
        bits, number = 0, 0
        for row in self._rows:
            row.output_with_state(0)
            self._wait(self._settle_s)
            for column in self._columns:
                if not column.state:
                    bits |= 1 << number
                number += 1
            row.function = "input"
        return Seen(bits)

    def close(self) -> None:
        """Leaves all rows floating and gives the pins back."""
        for pin in (*self._rows, *self._columns):
            pin.close()
        self._factory.release_all(self)
        self._rows, self._columns = [], []


class GroupMatrix(Reserving):
    """A matrix read in groups of lines: a `Scanner` on lgpio."""

    def __init__(
        self, rows: Sequence[int], columns: Sequence[int], factory: Any, settle_s: float, wait: Spin = spin
    ) -> None:
        """Raises gpiozero's `GPIOPinInUse` or lgpio's `error` where somebody else has one of the lines."""
        import lgpio

        factory.reserve_pins(self, *rows, *columns)
        self._lgpio, self._factory, self._settle_s, self._wait = lgpio, factory, settle_s, wait
        self._row, self._column = rows[0], columns[0]
        self._rows, self._columns = len(rows), len(columns)
        self._chip: int | None = lgpio.gpiochip_open(factory.chip)
        lgpio.group_claim_output(self._chip, list(rows), [1] * len(rows), lgpio.SET_OPEN_DRAIN)
        lgpio.group_claim_input(self._chip, list(columns), lgpio.SET_PULL_UP)

    def scan(self) -> Seen:
        """Every crossing, row by row: two kernel calls a row, and one that lets all rows float again."""
        lgpio, chip = self._lgpio, self._chip
        floating, mask = (1 << self._rows) - 1, (1 << self._columns) - 1
        bits = 0
        for row in range(self._rows):
            lgpio.group_write(chip, self._row, floating & ~(1 << row), floating)
            self._wait(self._settle_s)
            _, levels = lgpio.group_read(chip, self._column)
            bits |= (~levels & mask) << (self._columns * row)
        lgpio.group_write(chip, self._row, floating, floating)
        return Seen(bits)

    def close(self) -> None:
        """Lets go of the lines; the kernel leaves them as inputs."""
        if self._chip is not None:
            self._lgpio.gpiochip_close(self._chip)
            self._factory.release_all(self)
            self._chip = None


class PinLines(Reserving):
    """One pin a switch, which pulls it low: a `Scanner`."""

    def __init__(self, pins: Sequence[int], factory: Any) -> None:
        """Raises gpiozero's `GPIOPinInUse` where somebody else has one of the pins."""
        factory.reserve_pins(self, *pins)
        self._factory = factory
        self._pins = [factory.pin(pin) for pin in pins]
        for pin in self._pins:
            pin.input_with_pull("up")

    def scan(self) -> Seen:
        """Every switch."""
        bits = 0
        for number, pin in enumerate(self._pins):
            if not pin.state:
                bits |= 1 << number
        return Seen(bits)

    def close(self) -> None:
        """Gives the pins back."""
        for pin in self._pins:
            pin.close()
        self._factory.release_all(self)
        self._pins = []


class PinPanel:
    """Buttons beside the board, one pin each: a `Panel`."""

    def __init__(self, pins: Mapping[str, int], factory: Any) -> None:
        """`pins`: the pin of every word. Raises gpiozero's `GPIOPinInUse`."""
        self._words = tuple(pins)
        self._lines = PinLines(list(pins.values()), factory)

    def down(self) -> frozenset[str]:
        """The words of the buttons that are held down."""
        bits = self._lines.scan().pieces
        return frozenset(word for number, word in enumerate(self._words) if bits >> number & 1)

    def close(self) -> None:
        """Gives the pins back."""
        self._lines.close()
