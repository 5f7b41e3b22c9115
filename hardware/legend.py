"""What each light looks like: one table of colour, strength and rhythm, for LEDs and page alike.

Nothing here knows pixels, milliamps or time that passes: `paint` is a function of a light and a moment. Every
meaning can be told by its rhythm alone, and the two that never move, `hint` and `last`, by their strength. A hint
to turn a piece where it lies breathes as all that is to be turned, but slowest; one to put or lift a piece is still,
and whether a piece lies there tells which.

Why the rhythms are as they are. All run on one common clock, so that twenty wrong discs flash as one.
Whatever goes dark comes back on the whole second (`wrong` a quarter of a second later once more), so a board full
of different lights goes from dark to lit at two moments a second: photosensitive people are safe up to three (WCAG
2.3.1). A breath and a dip never go quite dark. `confirm` is `turn` at half the pace: the same hand, then a word;
`hint-turn` is at a quarter, and shallow: nobody need hurry.

The colours are those of Okabe and Ito ("Color Universal Design", 2008), which colour-blind people tell apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi
from typing import Literal, NamedTuple

from boardctl.core.commands import Light
from boardctl.core.model import Piece

Sign = Literal["wrong", "turn", "put", "take", "confirm", "choice", "mark", "hint-turn", "hint", "last"]
"""What can be told apart: every meaning, with `owed` by what the hand has to do, and `hint` by what it may."""

HINTS: frozenset[Sign] = frozenset({"hint-turn", "hint"})
"""What is only advice, and dimmed first."""


class Colour(NamedTuple):
    """Red, green and blue from 0 to 1 as a screen takes them: for an LED, before gamma."""

    red: float
    green: float
    blue: float

    @property
    def css(self) -> str:
        """As a style sheet writes it: `#56b4e9`."""
        return "#" + "".join(f"{round(255 * part):02x}" for part in self)


def _of_255(red: int, green: int, blue: int) -> Colour:
    return Colour(red / 255, green / 255, blue / 255)


ORANGE = _of_255(230, 159, 0)
SKY_BLUE = _of_255(86, 180, 233)
BLUISH_GREEN = _of_255(0, 158, 115)
YELLOW = _of_255(240, 228, 66)
BLUE = _of_255(0, 114, 178)
VERMILLION = _of_255(213, 94, 0)
REDDISH_PURPLE = _of_255(204, 121, 167)
WHITE = _of_255(255, 255, 255)


class Palette:
    """The colour of every piece: the first player's sky blue, the second's orange, others after them."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """`pieces` in the order of their players. From the fifth on the colours come round again."""
        seats = _SEATS_OF_THREE if len(pieces) == 3 else _SEATS
        self.colours: Mapping[Piece, Colour] = {
            piece: seats[n % len(seats)] for n, piece in enumerate(dict.fromkeys(pieces))
        }
        """The colour of every piece, in the order given."""

    def of(self, piece: Piece | None) -> Colour:
        """The colour of a piece; blue for one the palette was not told of."""
        return BLUE if piece is None else self.colours.get(piece, BLUE)


# Seats alternate between two sides: cool colours for the one, warm for the other. Three are one against two.
_SEATS = (SKY_BLUE, ORANGE, BLUE, YELLOW)
_SEATS_OF_THREE = (SKY_BLUE, ORANGE, YELLOW)


class Beat(NamedTuple):
    """From this moment of the round (seconds) the level is this (0 dark, 1 the light's full strength)."""

    at: float
    level: float


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How a light comes and goes, over and over."""

    name: str
    """For people and style sheets: `two-flashes`."""
    period: float
    """Seconds a round."""
    beats: tuple[Beat, ...]
    """In order of time, the first at 0."""
    passage: Literal["jump", "glide"] = "jump"
    """From beat to beat at once, or along half a cosine."""
    delay: float = 0.0
    """Seconds this light is behind the common clock."""

    @property
    def steady(self) -> bool:
        """Whether it never changes."""
        return len(self.beats) == 1

    @property
    def goes_dark(self) -> bool:
        """Whether some of the round is dark."""
        return any(beat.level == 0 for beat in self.beats)

    def level(self, seconds: float) -> float:
        """The level from 0 to 1 at this moment of the common clock."""
        phase = (seconds - self.delay) % self.period
        here = bisect_right(self.beats, phase, key=_at) - 1
        beat = self.beats[here]
        if self.passage == "jump":
            return beat.level
        later = self.beats[here + 1] if here + 1 < len(self.beats) else Beat(self.period, self.beats[0].level)
        way = (phase - beat.at) / (later.at - beat.at)
        return beat.level + (later.level - beat.level) * (1 - cos(pi * way)) / 2


def _at(beat: Beat) -> float:
    return beat.at


STEP_S = 0.15
"""Seconds by which a disc breathes behind the one before it on its line: six discs fit into one breath."""
TURN_S = 1.0
"""Seconds each candidate of a choice is lit."""

TWO_FLASHES = Rhythm("two-flashes", 1.0, (Beat(0, 1), Beat(0.12, 0), Beat(0.25, 1), Beat(0.37, 0)))
BREATH = Rhythm("breath", 1.0, (Beat(0, 0.35), Beat(0.5, 1)), "glide")
SLOW_BREATH = Rhythm("slow-breath", 2.0, (Beat(0, 0.35), Beat(1, 1)), "glide")
SWELL = Rhythm("swell", 4.0, (Beat(0, 0.5), Beat(2, 1)), "glide")
LONG_ON = Rhythm("long-on", 1.0, (Beat(0, 1), Beat(0.75, 0)))
SHORT_ON = Rhythm("short-on", 1.0, (Beat(0, 1), Beat(0.25, 0)))
BY_TURNS = Rhythm("by-turns", 2 * TURN_S, (Beat(0, 1), Beat(TURN_S, 0)))
DIP = Rhythm("dip", 2.0, (Beat(0, 1), Beat(1.8, 0.3)))
STEADY = Rhythm("steady", 1.0, (Beat(0, 1),))


class Look(NamedTuple):
    """How one sign looks. `colour` None: that of the piece it is about. `strength`: full level, 0 to 1."""

    says: str
    colour: Colour | None
    strength: float
    rhythm: Rhythm


LOOKS: Mapping[Sign, Look] = {
    "wrong": Look("This must not lie here so.", VERMILLION, 1.0, TWO_FLASHES),
    "turn": Look("Turn this to the side of this colour.", None, 1.0, BREATH),
    "put": Look("Put a piece of this colour here.", None, 0.75, LONG_ON),
    "take": Look("Take this away.", VERMILLION, 0.75, SHORT_ON),
    "confirm": Look("Make it this colour, then say ok: the sensor cannot see it.", None, 1.0, SLOW_BREATH),
    "choice": Look("Which of these did you mean?", REDDISH_PURPLE, 0.9, BY_TURNS),
    "mark": Look("This piece carries a mark.", YELLOW, 0.45, DIP),
    "hint-turn": Look("You may turn this.", BLUISH_GREEN, 0.6, SWELL),
    "hint": Look("You may play here, or move this.", BLUISH_GREEN, 0.6, STEADY),
    "last": Look("The last move.", WHITE, 0.2, STEADY),
}
"""The table, strongest first: where two fit one cell, the one further up is shown."""


def sign(light: Light) -> Sign:
    """What a light tells. An owed light without its debt is taken for a turn."""
    if light.meaning == "hint" and light.debt is not None and light.debt.do == "turn":
        return "hint-turn"
    if light.meaning != "owed":
        return light.meaning
    return "turn" if light.debt is None else light.debt.do


def colour(light: Light, palette: Palette) -> Colour:
    """The colour of a light, before strength and rhythm."""
    fixed = LOOKS[sign(light)].colour
    return fixed or palette.of(light.debt.to if light.debt else None)


def rhythm(light: Light, place: int = 0, of: int = 2) -> Rhythm:
    """How a light comes and goes. For a choice: its `place` (from 0) among `of` candidates in order."""
    kept = LOOKS[sign(light)].rhythm
    match sign(light):
        case "choice":
            return replace(kept, period=max(of, 2) * TURN_S, delay=place * TURN_S)
        case "turn":
            return replace(kept, delay=STEP_S * max(light.step - 1, 0) % kept.period)
        case "wrong" | "put" | "take" | "confirm" | "mark" | "hint-turn" | "hint" | "last":
            return kept


def paint(light: Light, seconds: float, palette: Palette, place: int = 0, of: int = 2) -> Colour:
    """The colour a light has at a moment of the common clock, before gamma and brightness."""
    level = LOOKS[sign(light)].strength * rhythm(light, place, of).level(seconds)
    return Colour(*(level * part for part in colour(light, palette)))


_ANY_TWO = Palette(("first", "second"))


def legend(palette: Palette = _ANY_TWO) -> list[dict[str, object]]:
    """The table as JSON, strongest first, for a page that shows the same lights.

    Each entry: `sign`, `meaning`, `do` (of `owed` and `hint-turn`, else null), `says`, `colours` (css; under `any`,
    or by piece, by default `first` and `second`), `strength` (the opacity at level 1), `rhythm`, `period` (seconds),
    `pattern` (a list of [part of the period from 0 to 1, level]), `passage` (`jump`, or `glide`: ease in and out),
    `step` (seconds each step along a line is behind) and `turn` (seconds a candidate is lit; the period is then as
    many times this as there are candidates, never less than two).
    """
    return [_entry(name, look, palette) for name, look in LOOKS.items()]


_TELLS: Mapping[Sign, tuple[str, str]] = {
    "turn": ("owed", "turn"),
    "put": ("owed", "put"),
    "take": ("owed", "take"),
    "confirm": ("owed", "confirm"),
    "hint-turn": ("hint", "turn"),
}
"""The meaning and the debt of a sign that is not just a meaning."""


def _entry(name: Sign, look: Look, palette: Palette) -> dict[str, object]:
    meaning, do = _TELLS.get(name, (name, None))
    colours = {"any": look.colour} if look.colour else palette.colours
    return {
        "sign": name,
        "meaning": meaning,
        "do": do,
        "says": look.says,
        "colours": {piece: colour.css for piece, colour in colours.items()},
        "strength": look.strength,
        "rhythm": look.rhythm.name,
        "period": look.rhythm.period,
        "pattern": [[beat.at / look.rhythm.period, beat.level] for beat in look.rhythm.beats],
        "passage": look.rhythm.passage,
        "step": STEP_S if name == "turn" else 0.0,
        "turn": TURN_S if name == "choice" else 0.0,
    }
