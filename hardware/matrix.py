"""Switches on GPIO pins: at the crossings of rows and columns, or one pin each. Through gpiozero's pin factories.

Rows are open drain: driven low one at a time, floating else, never driven high, so that two closed switches of one
column short nothing. A switch pulls its column low at once; what takes time is a column that has to rise again, so only
after a row in which one was low is there a wait. On lgpio whole groups of lines are written and read, which takes two
kernel calls a row and one more; on any other factory, the mock one too, pin by pin. Columns are plain inputs without
edge alerts, which would cost a thread that polls.

Everything here keeps gpiozero's conventions: `pin_factory=`, reserved pins, `close` and `with`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Self

from hardware.scanner import Scanner, Seen

Wait = Callable[[float], None]
"""Lets so many seconds go by without giving the processor away: sleeping would take ten times as long."""
Pull = Literal["up", "floating"]
"""What holds an input high: the chip's own pull-up, or a resistor outside."""
IN_USE = 1
"""The flag of a line that somebody has (lgpio's documentation of `gpio_get_line_info`)."""


class PinBusy(RuntimeError):
    """A line belongs to somebody else, in the kernel or in another process: which, and whose it is."""


def spin(seconds: float) -> None:
    """Wait so long, busy."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def is_lgpio(factory: Any) -> bool:
    """Whether a factory drives pins through lgpio; asked without importing that."""
    return any(base.__module__ == "gpiozero.pins.lgpio" for base in type(factory).__mro__)


def matrix(
    rows: Sequence[int],
    columns: Sequence[int],
    *,
    pin_factory: Any,
    settle_s: float = 30e-6,
    pull: Pull = "up",
    wait: Wait = spin,
) -> Scanner:
    """A matrix, read in the best way this factory can. Raises gpiozero's `GPIOPinInUse` or `PinBusy`."""
    kind = GroupMatrix if is_lgpio(pin_factory) else PinMatrix
    return kind(rows, columns, pin_factory=pin_factory, settle_s=settle_s, pull=pull, wait=wait)


def switches(pins: Sequence[int], *, pin_factory: Any) -> GroupLines | PinLines:
    """One pin a switch, read in the best way this factory can. Raises gpiozero's `GPIOPinInUse` or `PinBusy`."""
    return (GroupLines if is_lgpio(pin_factory) else PinLines)(pins, pin_factory=pin_factory)


class Wires:
    """Something that has pins of a gpiozero factory to itself, as gpiozero's own devices do."""

    def __init__(self, pin_factory: Any, *pins: int) -> None:
        """Raises gpiozero's `GPIOPinInUse` where somebody else in this process has one of the pins."""
        self.pin_factory = pin_factory
        pin_factory.reserve_pins(self, *pins)

    def _conflicts_with(self, other: object) -> bool:
        """No pin is shared with anybody."""
        return other is not self

    def close(self) -> None:
        """Gives the pins back; closing twice does no harm."""
        self.pin_factory.release_all(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Pin by pin


class PinMatrix(Wires):
    """A matrix read pin by pin: a `Scanner` on any factory."""

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        *,
        pin_factory: Any,
        settle_s: float = 30e-6,
        pull: Pull = "up",
        wait: Wait = spin,
    ) -> None:
        """Raises gpiozero's `GPIOPinInUse`."""
        super().__init__(pin_factory, *rows, *columns)
        self._settle_s, self._wait = settle_s, wait
        self._rows = [pin_factory.pin(pin) for pin in rows]
        self._columns = [pin_factory.pin(pin) for pin in columns]
        for pin in self._rows:
            pin.function = "input"
        for pin in self._columns:
            pin.input_with_pull(pull)
        self._low = True
        """Whether a column was low when last read, and so has to rise."""

    def scan(self) -> Seen:
        """Every crossing, row by row."""
        bits, number = 0, 0
        for row in self._rows:
            row.output_with_state(0)
            if self._low:
                self._wait(self._settle_s)
            self._low = False
            for column in self._columns:
                if not column.state:
                    bits |= 1 << number
                    self._low = True
                number += 1
            row.function = "input"
        return Seen(bits)

    def close(self) -> None:
        """Leaves all rows floating and gives the pins back."""
        for pin in (*self._rows, *self._columns):
            pin.close()
        self._rows, self._columns = [], []
        super().close()


class PinLines(Wires):
    """One pin a switch, which pulls it low, read pin by pin: a `Scanner` on any factory."""

    def __init__(self, pins: Sequence[int], *, pin_factory: Any) -> None:
        """Raises gpiozero's `GPIOPinInUse`."""
        super().__init__(pin_factory, *pins)
        self._pins = [pin_factory.pin(pin) for pin in pins]
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
        self._pins = []
        super().close()


# In groups


class Groups(Wires):
    """Lines of the chip, opened once more beside gpiozero: what is closed here is free at once, for anybody."""

    def __init__(self, pin_factory: Any, *pins: int) -> None:
        """Raises gpiozero's `GPIOPinInUse`, or lgpio's `error` where the chip cannot be opened."""
        import lgpio

        super().__init__(pin_factory, *pins)
        self._lgpio = lgpio
        self._chip: int | None = lgpio.gpiochip_open(pin_factory.chip)

    def claim_inputs(self, pins: Sequence[int], pull: Pull) -> None:
        """Has these lines read together. Raises `PinBusy`, and has let go of everything then."""
        flags = self._lgpio.SET_PULL_UP if pull == "up" else self._lgpio.SET_PULL_NONE
        self._claim(pins, lambda: self._lgpio.group_claim_input(self._chip, list(pins), flags))

    def claim_outputs(self, pins: Sequence[int], *, floating: bool) -> None:
        """Has these lines written together: floating at first and never driven high, or low at first.

        Raises `PinBusy`, and has let go of everything then.
        """
        first, flags = (1, self._lgpio.SET_OPEN_DRAIN) if floating else (0, 0)
        self._claim(
            pins, lambda: self._lgpio.group_claim_output(self._chip, list(pins), [first] * len(pins), flags)
        )

    def _claim(self, pins: Sequence[int], claim: Callable[[], object]) -> None:
        try:
            claim()
        except self._lgpio.error as fault:
            holders = self._holders(pins)
            self.close()
            raise PinBusy(holders or f"GPIO{', GPIO'.join(map(str, pins))}: {fault}") from None

    def _holders(self, pins: Sequence[int]) -> str:
        """Who has which of these lines, in words; empty if nobody has."""
        infos = (self._lgpio.gpio_get_line_info(self._chip, pin) for pin in pins)
        held = [(number, user) for _, number, flags, _, user in infos if flags & IN_USE]
        return "; ".join(f"GPIO{number} is in use by {user or 'somebody'!r}" for number, user in held)

    def close(self) -> None:
        """Lets go of the lines; the kernel leaves them as inputs."""
        if self._chip is not None:
            self._lgpio.gpiochip_close(self._chip)
            self._chip = None
        super().close()


class GroupMatrix(Groups):
    """A matrix read in groups of lines: a `Scanner` on lgpio."""

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        *,
        pin_factory: Any,
        settle_s: float = 30e-6,
        pull: Pull = "up",
        wait: Wait = spin,
    ) -> None:
        """Raises gpiozero's `GPIOPinInUse`, or `PinBusy`."""
        super().__init__(pin_factory, *rows, *columns)
        self._settle_s, self._wait = settle_s, wait
        self._row, self._column = rows[0], columns[0]
        self._columns = len(columns)
        self._floating, self._mask = (1 << len(rows)) - 1, (1 << len(columns)) - 1
        self._driven = [self._floating & ~(1 << row) for row in range(len(rows))]
        self._low = self._mask
        """The columns that were low when last read, and so have to rise."""
        self.claim_outputs(rows, floating=True)
        self.claim_inputs(columns, pull)

    def scan(self) -> Seen:
        """Every crossing, row by row: two kernel calls a row, and one that lets all rows float again."""
        write, read, chip = self._lgpio.group_write, self._lgpio.group_read, self._chip
        bits = shift = 0
        for driven in self._driven:
            write(chip, self._row, driven, self._floating)
            if self._low:
                self._wait(self._settle_s)
            _, levels = read(chip, self._column)
            self._low = ~levels & self._mask
            bits |= self._low << shift
            shift += self._columns
        write(chip, self._row, self._floating, self._floating)
        return Seen(bits)


class GroupLines(Groups):
    """One pin a switch, which pulls it low, read with one kernel call: a `Scanner` on lgpio."""

    def __init__(self, pins: Sequence[int], *, pin_factory: Any) -> None:
        """Raises gpiozero's `GPIOPinInUse`, or `PinBusy`."""
        super().__init__(pin_factory, *pins)
        self._first, self._mask = pins[0], (1 << len(pins)) - 1
        self.claim_inputs(pins, "up")

    def scan(self) -> Seen:
        """Every switch."""
        _, levels = self._lgpio.group_read(self._chip, self._first)
        return Seen(~levels & self._mask)


# Beside the board


class Buttons:
    """Buttons beside the board, one pin each: a `Panel`."""

    def __init__(self, pins: Mapping[str, int], *, pin_factory: Any) -> None:
        """`pins`: the pin of every word. Raises gpiozero's `GPIOPinInUse`, or `PinBusy`."""
        self._words = tuple(pins)
        self._lines = switches(list(pins.values()), pin_factory=pin_factory)

    def down(self) -> frozenset[str]:
        """The words of the buttons that are held down."""
        bits = self._lines.scan().pieces
        return frozenset(word for number, word in enumerate(self._words) if bits >> number & 1)

    def close(self) -> None:
        """Gives the pins back."""
        self._lines.close()
