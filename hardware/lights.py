"""From lights to pixels: brightness, gamma, a budget of milliamps, and lights that are only simulated.

`Glow` is what every kind of pixel shares: it knows which cells are lit since when and answers the pixels of a
moment. Gamma is applied once; brightness and the night setting after it, where they halve light and current alike.
The budget is kept by the strength a light may reach in its round, not by what it happens to draw just now: else
every steady light would waver whenever a neighbour flashes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Literal, NamedTuple

from boardctl.core.commands import Light, Meaning
from boardctl.core.model import Cell
from hardware.legend import HINTS, LOOKS, Palette, Rhythm, Sign, colour, rhythm, sign

Pixel = tuple[int, int, int]
"""Red, green and blue from 0 to 255, as a NeoPixel is sent them."""
Setting = Literal["day", "night"]
"""The night setting halves twice."""

DARK: Pixel = (0, 0, 0)
GAMMA = 2.6
"""What makes a NeoPixel's steps look even (Adafruit, "LED Tricks: Gamma Correction")."""
CHANNEL_MA = 20.0
"""Milliamps of one colour of one pixel at 255 (WS2812B)."""
REST_MA = 1.0
"""Milliamps of a dark pixel."""
FADE_S = 0.08
"""Seconds in which a new light comes up."""
APART_S = 1.0
"""Seconds between two new lights in one cell, so that not even a faulty sensor makes a cell flicker."""

_SETTINGS: Mapping[Setting, float] = {"day": 1.0, "night": 0.25}


class BudgetTooSmall(ValueError):
    """The dark pixels alone draw more than the budget allows."""


class NoSuchBrightness(ValueError):
    """A brightness that is not above 0 and at most 1."""


class Lamp(NamedTuple):
    """One lit cell: what it tells, how it comes and goes, the pixel at its strongest, and since when."""

    sign: Sign
    rhythm: Rhythm
    full: Pixel
    since: float

    def pixel(self, now: float) -> Pixel:
        """The pixel at `now`: dark before `since`, never stronger than `full`, never lost in rounding."""
        fade = min(max(now - self.since, 0.0) / FADE_S, 1.0)
        part = (fade * self.rhythm.level(now)) ** GAMMA
        strongest = max(self.full)
        red, green, blue = (ceil(c * part) if c == strongest else round(c * part) for c in self.full)
        return red, green, blue


def frame_ma(frame: Mapping[Cell, Pixel]) -> float:
    """Milliamps that these pixels draw; a dark pixel must be in the frame to be counted."""
    return REST_MA * len(frame) + CHANNEL_MA * sum(map(sum, frame.values())) / 255


class Glow:
    """The lights of a board as they glow: told what cells mean, it answers pixels within a budget."""

    def __init__(
        self,
        cells: Sequence[Cell],
        palette: Palette,
        *,
        budget_ma: float = 500.0,
        brightness: float = 0.6,
        setting: Setting = "day",
    ) -> None:
        """Raises `BudgetTooSmall` where 1 mA a cell is too much, `NoSuchBrightness` outside 0 to 1."""
        if budget_ma < REST_MA * len(cells):
            raise BudgetTooSmall(f"{budget_ma:g} mA; {len(cells)} pixels at rest draw {len(cells):g} mA")
        if not 0 < brightness <= 1:
            raise NoSuchBrightness(f"{brightness:g}; it is above 0 and at most 1")
        self._cells = dict.fromkeys(cells, DARK)
        self._palette = palette
        self._room = int((budget_ma - REST_MA * len(cells)) * 255 / CHANNEL_MA + 1e-9)
        self._brightness = brightness
        self._setting: Setting = setting
        self._frame: Mapping[Cell, Light] = {}
        self._lamps: dict[Cell, Lamp] = {}
        self._since: dict[Cell, float] = {}

    def show(self, frame: Mapping[Cell, Light], now: float) -> None:
        """These lights and no others from `now` on: what is gone is dark at once, what is new fades in."""
        here = {cell: light for cell, light in frame.items() if cell in self._cells}
        if here != self._frame:
            self._frame = here
            self._light(now)

    def dim(self, setting: Setting, now: float) -> None:
        """Goes over to day or night; what is lit stays lit."""
        self._setting = setting
        self._light(now)

    def _light(self, now: float) -> None:
        here = self._frame
        candidates = sorted(cell for cell, light in here.items() if light.meaning == "choice")
        places = {cell: place for place, cell in enumerate(candidates)}
        lamps = {
            cell: self._lamp(cell, light, rhythm(light, places.get(cell, 0), len(places)), now)
            for cell, light in here.items()
        }
        self._since.update({cell: lamp.since for cell, lamp in lamps.items()})
        self._lamps = afforded(lamps, self._room)

    def _lamp(self, cell: Cell, light: Light, pace: Rhythm, now: float) -> Lamp:
        full = self._full(light)
        return Lamp(sign(light), pace, full, self._appears(cell, sign(light), pace, now))

    def _full(self, light: Light) -> Pixel:
        strength, bright = LOOKS[sign(light)].strength, 255 * self._brightness * _SETTINGS[self._setting]
        parts = [bright * (strength * part) ** GAMMA for part in colour(light, self._palette)]
        red, green, blue = (max(round(c), 1) if c == max(parts) else round(c) for c in parts)
        return red, green, blue

    def _appears(self, cell: Cell, told: Sign, pace: Rhythm, now: float) -> float:
        """Since when this light glows: as before where it goes on, else now or once the cell may light again."""
        before = self._lamps.get(cell)
        if before and before.sign == told and (before.rhythm == pace or not pace.goes_dark):
            return before.since
        last = self._since.get(cell, now - APART_S)
        return last if last >= now else max(now, last + APART_S)

    def pixels(self, now: float) -> dict[Cell, Pixel]:
        """Every pixel of the board at `now`."""
        return self._cells | {cell: lamp.pixel(now) for cell, lamp in self._lamps.items()}

    def steady(self, now: float) -> bool:
        """Whether the pixels stay as they are at `now` until the next `show`."""
        return all(lamp.rhythm.steady and lamp.since + FADE_S <= now for lamp in self._lamps.values())


def afforded(lamps: Mapping[Cell, Lamp], room: int) -> dict[Cell, Lamp]:
    """The lamps scaled so that all at their strongest fit into `room` (steps of 255): hints first, then all."""
    hints = sum(sum(lamp.full) for lamp in lamps.values() if lamp.sign in HINTS)
    others = sum(sum(lamp.full) for lamp in lamps.values() if lamp.sign not in HINTS)
    if hints + others <= room:
        return dict(lamps)
    for_others = min(room, others)
    return {
        cell: _scaled(lamp, room - for_others, hints)
        if lamp.sign in HINTS
        else _scaled(lamp, for_others, others)
        for cell, lamp in lamps.items()
    }


def _scaled(lamp: Lamp, numerator: int, denominator: int) -> Lamp:
    red, green, blue = (part * numerator // denominator for part in lamp.full)
    return lamp._replace(full=(red, green, blue))


class SimulatedLights:
    """Lights that are only remembered: the `Lights` port for a page and for tests, pixel by pixel."""

    def __init__(
        self,
        cells: Sequence[Cell],
        palette: Palette,
        *,
        budget_ma: float = 500.0,
        brightness: float = 0.6,
        setting: Setting = "day",
        remember: int = 1000,
    ) -> None:
        """`remember`: how many frames `history` keeps. Raises what `Glow` raises."""
        self._glow = Glow(cells, palette, budget_ma=budget_ma, brightness=brightness, setting=setting)
        self.showing: Mapping[Cell, Light] = {}
        """What is shown now, for every cell that is lit."""
        self.history: deque[tuple[float, dict[Cell, Meaning]]] = deque(maxlen=remember)
        """When what was shown changed (seconds), and the meanings from then on; the oldest are forgotten."""

    def show(self, frame: Mapping[Cell, Light], now: float) -> None:
        """As the port says; only a frame that differs from the last is remembered."""
        if frame != self.showing:
            self.showing = dict(frame)
            self.history.append((now, {cell: light.meaning for cell, light in frame.items()}))
        self._glow.show(frame, now)

    def pixels(self, now: float) -> dict[Cell, Pixel]:
        """What every pixel of the board would be at `now`."""
        return self._glow.pixels(now)

    def steady(self, now: float) -> bool:
        """Whether the pixels stay as they are at `now` until the next `show`."""
        return self._glow.steady(now)

    def dim(self, setting: Setting, now: float) -> None:
        """Goes over to day or night."""
        self._glow.dim(setting, now)

    def close(self) -> None:
        """Leaves every light dark."""
        self.showing = {}
        self._glow.show({}, 0.0)
