"""A matrix of switches under mock pins: closed switches, diodes or none, and lines that take their time to rise."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin

PI_ZERO_2W = "902120"


class Switches:
    """The switches of one board, and the clock that waits let go by."""

    def __init__(
        self, rows: list[int], columns: list[int], *, diodes: bool = True, rise_s: float = 0.0
    ) -> None:
        self.rows, self.columns, self.diodes, self.rise_s = rows, columns, diodes, rise_s
        self.closed: set[tuple[int, int]] = set()
        """Row and column, from 0."""
        self.bare: set[tuple[int, int]] = set()
        """Switches whose diode is missing on a board that has them."""
        self.backwards: set[tuple[int, int]] = set()
        """Switches whose diode is the wrong way round."""
        self.now = 0.0
        self.floated: dict[int, float] = {}
        self.broken = False
        self.reads = 0

    def wait(self, seconds: float) -> None:
        """What a spin does: time goes by."""
        self.now += seconds

    def close(self, *cells: int) -> None:
        """Switches by number, as the scanner counts them."""
        self.closed |= {divmod(cell, len(self.columns)) for cell in cells}

    def open(self, *cells: int) -> None:
        self.closed -= {divmod(cell, len(self.columns)) for cell in cells}

    def low(self, pin: int, driven: set[int]) -> bool:
        """Whether a column reads low while these rows are driven low."""
        return self.now < self.floated.get(pin, -1.0) + self.rise_s or self.pulled(pin, driven)

    def pulled(self, pin: int, driven: set[int]) -> bool:
        """Whether closed switches pull a column down to one of these rows."""
        rows, column = {self.rows.index(row) for row in driven}, self.columns.index(pin)
        if self.diodes and not self.bare and not self.backwards:
            return any((row, column) in self.closed for row in rows)
        return column in self.low_columns(rows)

    def low_columns(self, driven: set[int]) -> set[int]:
        """The columns that closed switches pull down to these rows, the straight way or a roundabout one."""
        through = (self.closed & self.backwards if self.diodes else self.closed) | self.closed & self.bare
        rows, columns = driven, set[int]()
        while True:
            wider = {column for row, column in self.closed - self.backwards if row in rows}
            further = driven | {row for row, column in through if column in wider}
            if (further, wider) == (rows, columns):
                return columns
            rows, columns = further, wider

    def seen(self) -> int:
        """What a scan sees, as bits."""
        lows = ((row, self.low_columns({row})) for row in range(len(self.rows)))
        return sum(1 << row * len(self.columns) + column for row, low in lows for column in low)


class MatrixPin(MockPin):
    """A pin of the board: a row is driven or floats, a column is read."""

    def _get_state(self) -> bool:
        switches: Switches = self.factory.switches
        if self._number not in switches.columns or self._function == "output":
            return bool(super()._get_state())
        if switches.broken:
            raise OSError(5, "Input/output error")
        switches.reads += 1
        driven = {row for row in switches.rows if self.factory.driven(row)}
        return not switches.low(self._number, driven)

    def _set_function(self, value: str) -> None:
        switches: Switches = self.factory.switches
        if value == "input" and self._function == "output" and not self._state:
            for column in switches.columns:
                if switches.pulled(column, {self._number}):
                    switches.floated[column] = switches.now
        super()._set_function(value)


class MatrixFactory(MockFactory):
    """A mock factory whose pins hang on such a board."""

    def __init__(self, switches: Switches) -> None:
        super().__init__(revision=PI_ZERO_2W, pin_class=MatrixPin)
        self.switches = switches
        self.row_pins: dict[int, MockPin] = {}

    def driven(self, row: int) -> bool:
        """Whether a row is driven low just now."""
        pin = self.row_pins.get(row) or self.row_pins.setdefault(row, self.pin(row))
        return pin._function == "output" and not pin._state

    def high(self) -> list[int]:
        """Rows that are driven high, which none ever may be."""
        return [
            row for row in self.switches.rows if self.pin(row)._function == "output" and self.pin(row)._state
        ]
