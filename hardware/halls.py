"""Linear hall sensors behind 16:1 multiplexers, read by an MCP3008: they see which side of a piece is up.

A hall rests at half its supply and rises over one pole of a magnet, falls over the other. Each has a rest of its own,
which drifts with warmth; it is followed while nothing lies there, never while something does. Readings are parts of
the whole scale, 0 to 1.

gpiozero finds the kernel's driver for bus 0 only and would toggle the pins of bus 1 one by one, some six thousand
kernel calls a scan; `SPI_HARDWARE_PINS` is the table it looks in (gpiozero 2.0.1, pins/data.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

from hardware.board_file import SPI, MultiplexedWiring
from hardware.ghosts import spread
from hardware.matrix import Groups, Wait, Wires, is_lgpio, spin
from hardware.scanner import Seen

INPUTS = 16
SCALE = 1023
"""The highest number of an MCP3008."""
REST = 0.5
"""Where a hall rests that nothing is known of."""
FOLLOWED = 1024
"""Scans over which a rest is the mean: ten seconds to a minute, which follows warmth and no hand."""
FARTHEST = 0.1
"""How far from where it began a rest is followed: beyond that, something lies there or is broken."""
RAIL = 0.01
"""A reading so near to an end of the scale is a wire's, not a magnet's."""

Poles = Literal["above", "below"]


class Silent(RuntimeError):
    """The converter does not answer: why, and where to look."""


class Settings(NamedTuple):
    """How one hall is read: where it rests, how far off means a piece, how much nearer means none again."""

    rest: float = REST
    threshold: float = 0.08
    hysteresis: float = 0.02


class Channel(Protocol):
    """One input of a converter: gpiozero's `MCP3008`."""

    @property
    def raw_value(self) -> int:
        """What it reads, 0 to 1023."""
        ...

    def close(self) -> None:
        """Let go of the bus."""
        ...


class Select(Protocol):
    """The lines that choose one input of sixteen."""

    def choose(self, number: int) -> None:
        """Choose this input of all multiplexers."""
        ...

    def close(self) -> None:
        """Let go of the lines."""
        ...


class Hall:
    """One sensor: where it rests now, and what it makes of the latest reading."""

    def __init__(self, settings: Settings) -> None:
        self.rest = settings.rest
        self.off = 0
        """On which side of rest it reads: 1 above, -1 below, 0 at rest."""
        self.broken = False
        self.value = settings.rest
        """The latest reading."""
        self._settings = settings
        self._rested = 0

    def read(self, value: float) -> int:
        """Takes a reading, and answers on which side of rest it is: on none where it is broken."""
        self.value = value
        self.broken = not RAIL < value < 1 - RAIL
        if self.broken:
            self.off = 0
            return 0
        away = value - self.rest
        threshold, hysteresis = self._settings.threshold, self._settings.hysteresis
        if abs(away) >= threshold:
            self.off = 1 if away > 0 else -1
        elif abs(away) <= threshold - hysteresis or self.off * away < 0:
            self.off = 0
        if not self.off and abs(away) <= threshold - hysteresis:
            self._follow(away)
        return self.off

    def _follow(self, away: float) -> None:
        """An empty cell shows where its sensor rests: the mean of what was read so far, and later of the latest."""
        self._rested = min(self._rested + 1, FOLLOWED)
        rest = self.rest + away / self._rested
        first = self._settings.rest
        self.rest = min(max(rest, first - FARTHEST), first + FARTHEST)


class Halls:
    """All of them: a `Scanner` that sees sides."""

    def __init__(
        self,
        select: Select,
        channels: Sequence[Channel],
        settings: Sequence[Settings],
        *,
        heads: Poles = "above",
        settle_s: float = 20e-6,
        wait: Wait = spin,
    ) -> None:
        """`settings`: one for each sensor, sixteen a channel; the last channel may have fewer."""
        self.halls = [Hall(each) for each in settings]
        self._select, self._channels = select, channels
        self._heads = 1 if heads == "above" else -1
        self._settle_s, self._wait = settle_s, wait

    def scan(self) -> Seen:
        """Every hall. Raises `Silent` where all read the same end of the scale, or what the driver raises."""
        values: dict[int, float] = {}
        for number in range(INPUTS):
            self._select.choose(number)
            self._wait(self._settle_s)
            for at, channel in enumerate(self._channels):
                if (sensor := at * INPUTS + number) < len(self.halls):
                    values[sensor] = channel.raw_value / SCALE
        if len(ends := set(values.values())) == 1 and ends <= {0.0, 1.0}:
            raise Silent(
                f"the MCP3008 answers nothing but {0 if ends == {0.0} else SCALE}. "
                "Look at its supply, and at the wires of its bus."
            )
        sides = {sensor: self.halls[sensor].read(value) for sensor, value in values.items()}
        return Seen(
            spread(sensor for sensor, side in sides.items() if side == self._heads),
            spread(sensor for sensor, side in sides.items() if side == -self._heads),
            spread(sensor for sensor in sides if self.halls[sensor].broken),
        )

    def away(self, sensor: int) -> float:
        """How far from its rest a sensor read last, as a part of the scale; below it is negative."""
        return self.halls[sensor].value - self.halls[sensor].rest

    def close(self) -> None:
        """Lets go of bus and lines."""
        for channel in self._channels:
            channel.close()
        self._select.close()


class PinSelect(Wires):
    """The select lines, written pin by pin: on any factory."""

    def __init__(self, pins: Sequence[int], *, pin_factory: Any) -> None:
        """Raises gpiozero's `GPIOPinInUse`."""
        super().__init__(pin_factory, *pins)
        self._pins = [pin_factory.pin(pin) for pin in pins]
        for pin in self._pins:
            pin.output_with_state(0)

    def choose(self, number: int) -> None:
        """As the port says."""
        for bit, pin in enumerate(self._pins):
            pin.state = number >> bit & 1

    def close(self) -> None:
        """Gives the pins back."""
        for pin in self._pins:
            pin.close()
        self._pins = []
        super().close()


class GroupSelect(Groups):
    """The select lines, written with one kernel call: on lgpio."""

    def __init__(self, pins: Sequence[int], *, pin_factory: Any) -> None:
        """Raises gpiozero's `GPIOPinInUse`, or `PinBusy`."""
        super().__init__(pin_factory, *pins)
        self._first, self._mask = pins[0], (1 << len(pins)) - 1
        self.claim_outputs(pins, floating=False)

    def choose(self, number: int) -> None:
        """As the port says."""
        self._lgpio.group_write(self._chip, self._first, number, self._mask)


def halls(wiring: MultiplexedWiring, cells: int, *, pin_factory: Any, wait: Wait = spin) -> Halls:
    """The halls of a board of so many cells. Raises gpiozero's `GPIOPinInUse`, `PinBusy`, or `Silent`."""
    select = (GroupSelect if is_lgpio(pin_factory) else PinSelect)(wiring.select, pin_factory=pin_factory)
    try:
        channels = [converter(wiring, channel, pin_factory=pin_factory) for channel in wiring.channels]
    except BaseException:
        select.close()
        raise
    thresholds = wiring.thresholds or [wiring.threshold] * cells
    return Halls(
        select,
        channels,
        [Settings(threshold=each, hysteresis=wiring.hysteresis) for each in thresholds],
        heads=wiring.heads,
        settle_s=wiring.settle_us * 1e-6,
        wait=wait,
    )


def converter(wiring: MultiplexedWiring, channel: int, *, pin_factory: Any) -> Channel:
    """One channel of the MCP3008. Raises `Silent` where the kernel has no such bus."""
    from gpiozero import MCP3008
    from gpiozero.exc import SPISoftwareFallback
    from gpiozero.pins.data import SPI_HARDWARE_PINS

    lines = {line: f"GPIO{pin}" for pin, line in SPI[wiring.bus].items()}
    selects = tuple(lines[line] for line in sorted(lines) if line.startswith("CE"))
    SPI_HARDWARE_PINS.setdefault(
        int(wiring.bus[-1]),
        {"clock": lines["SCLK"], "mosi": lines["MOSI"], "miso": lines["MISO"], "select": selects},
    )
    with warnings.catch_warnings():
        if is_lgpio(pin_factory):
            warnings.simplefilter("error", SPISoftwareFallback)
        try:
            made: Channel = MCP3008(
                channel,
                clock_pin=lines["SCLK"],
                mosi_pin=lines["MOSI"],
                miso_pin=lines["MISO"],
                select_pin=lines[f"CE{wiring.device}"],
                pin_factory=pin_factory,
            )
        except SPISoftwareFallback as fault:
            raise Silent(
                f"the bus {wiring.bus} of the MCP3008 cannot be opened ({fault}). "
                "Switch it on: dtparam=spi=on or dtoverlay=spi1-3cs in config.txt, then restart."
            ) from None
    return made
