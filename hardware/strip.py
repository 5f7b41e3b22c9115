"""Lights on a strip of pixels: what is to be shown, when it is worth sending, and that it ends dark.

A frame is sent when it differs from the last, at most thirty times a second while lights breathe, and once a second
in any case, so that a pixel that lost a bit is right again soon. What drives the strip stands behind `Strip`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from boardctl.core.commands import Light
from boardctl.core.model import Cell
from hardware.legend import Palette
from hardware.lights import DARK, REST_MA, BudgetTooSmall, Glow, Pixel

FASTEST_S = 1 / 30
"""Seconds between two frames of lights that only breathe."""
REFRESH_S = 1.0
"""Seconds after which a frame is sent again although nothing has changed."""


class Strip(Protocol):
    """Something that shows so many pixels."""

    def write(self, pixels: Sequence[Pixel]) -> None:
        """Show these, the first of the strip first. Raises OSError where the strip cannot be reached."""
        ...

    def close(self) -> None:
        """Let go of it, as it is."""
        ...


class StripLights:
    """The `Lights` port on a strip."""

    def __init__(
        self,
        strip: Strip,
        count: int,
        under: Mapping[Cell, range],
        palette: Palette,
        *,
        budget_ma: float = 500.0,
        brightness: float = 0.6,
    ) -> None:
        """`count`: pixels of the whole strip, all of which draw current; `under`: the pixels under each cell.

        Raises `BudgetTooSmall` where 1 mA a pixel is too much, `NoSuchBrightness` outside 0 to 1.
        """
        if budget_ma < REST_MA * count:
            raise BudgetTooSmall(f"{budget_ma:g} mA; {count} pixels at rest draw {REST_MA * count:g} mA")
        each = max((len(pixels) for pixels in under.values()), default=1)
        room = (budget_ma - REST_MA * count) / each
        cells = list(under)
        self._glow = Glow(cells, palette, budget_ma=room + REST_MA * len(cells), brightness=brightness)
        self._strip, self._count, self._under = strip, count, under
        self._sent: list[Pixel] | None = None
        self._sent_at = 0.0
        self.fault: str | None = None
        """Why the strip could not be written last, or None; the game goes on without it."""

    def show(self, frame: Mapping[Cell, Light], now: float) -> None:
        """As the port says; call it some thirty times a second while lights are not steady."""
        self._glow.show(frame, now)
        pixels = self._pixels(now)
        changed = pixels != self._sent
        since = now - self._sent_at
        if self._sent is None or (changed and since >= FASTEST_S) or since >= REFRESH_S or self._news(pixels):
            self._send(pixels, now)

    def _news(self, pixels: Sequence[Pixel]) -> bool:
        """Whether a pixel goes dark or comes up: that is told at once."""
        return self._sent is not None and any(
            (here == DARK) != (there == DARK) for here, there in zip(pixels, self._sent, strict=True)
        )

    def _pixels(self, now: float) -> list[Pixel]:
        strip = [DARK] * self._count
        for cell, pixel in self._glow.pixels(now).items():
            for number in self._under[cell]:
                strip[number] = pixel
        return strip

    def _send(self, pixels: list[Pixel], now: float) -> None:
        try:
            self._strip.write(pixels)
        except OSError as fault:
            self.fault = str(fault)
        else:
            self.fault = None
        self._sent, self._sent_at = pixels, now

    @property
    def finding(self) -> str | None:
        """Why the strip cannot be reached, in a sentence, or None."""
        return self.fault and f"The lights cannot be reached: {self.fault}."

    def steady(self, now: float) -> bool:
        """Whether the pixels stay as they are at `now` until the next `show`."""
        return self._glow.steady(now)

    def close(self) -> None:
        """Leaves every pixel dark."""
        if self._sent is None or any(pixel != DARK for pixel in self._sent):
            self._send([DARK] * self._count, self._sent_at)
        self._strip.close()


class NoLights:
    """The `Lights` port of a board without pixels, or with a strip that cannot be used: the words tell everything."""

    finding: str | None = None

    def show(self, frame: Mapping[Cell, Light], now: float) -> None:
        """Nothing is shown."""

    def close(self) -> None:
        """Nothing is there to be dark."""
