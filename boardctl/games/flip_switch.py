"""Flip Switch as a table knows it: nine tiles of three shapes, laid face down, that are flipped and switched.

The rules are in `flipping`; here are the names, the pictures and the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boardctl.core.model import (
    Cell,
    Handling,
    Look,
    Option,
    Piece,
    PlainGame,
    Player,
    Side,
    chosen,
)
from boardctl.games.flipping import CELLS, DOWN, OF_A_SHAPE, PLAYERS, SHAPES, Lines, Terms, TilePosition

NAME, TITLE = "flip-switch", "Flip Switch"


@dataclass(frozen=True, slots=True)
class FlipSwitchGame(PlainGame):
    """Flip Switch with its options chosen: a `Game`."""

    options: Mapping[str, str | int | bool]
    terms: Terms
    name: str = NAME
    title: str = TITLE

    @property
    def noun(self) -> str:
        """What a piece is called in a sentence."""
        return "tile"

    @property
    def hands(self) -> Handling:
        """Tiles are turned where they lie, or change places."""
        return "exchange"

    @property
    def points(self) -> dict[Cell, tuple[float, float]]:
        """Three by three, a1 at (0, 0), b1 at (1, 0)."""
        return {cell: (float(n % 3), float(n // 3)) for n, cell in enumerate(CELLS)}

    @property
    def players(self) -> dict[Player, str]:
        """Both players, by number."""
        return {player: f"Player {player}" for player in PLAYERS}

    @property
    def faces(self) -> dict[Piece, Side]:
        """The shapes are heads, the back is tails."""
        return {**dict.fromkeys(SHAPES, _HEADS), DOWN: "tails"}

    @property
    def letters(self) -> dict[Piece, str]:
        """The second letter of square, for star begins as it does."""
        return {"heart": "H", "square": "Q", "star": "S", DOWN: "?"}

    @property
    def looks(self) -> dict[Piece, Look]:
        """Wooden tiles, the shape on one side."""
        return {piece: Look("tile", "wood", "" if piece == DOWN else piece) for piece in self.faces}

    @property
    def carriers(self) -> dict[Cell, str]:
        """Three tiles of each shape."""
        return dict(zip(CELLS, (shape for shape in SHAPES for _ in range(OF_A_SHAPE)), strict=True))

    @property
    def shuffled(self) -> bool:
        """Nobody knows which tile lies where."""
        return True

    @property
    def starts(self) -> tuple[TilePosition, ...]:
        """Nine tiles face down, and the first player to move."""
        return (TilePosition(self.terms),)

    def spoken(self, label: str) -> str:
        """A flip of B2, with the shape that came up; a switch of A1 and B1."""
        verb, *words = label.split()
        if verb == "switch":
            return f"a switch of {words[0].upper()} and {words[1].upper()}"
        return f"a flip of {', '.join([words[0].upper(), *words[1:]])}"

    def turned(self, piece: Piece) -> Piece | None:
        """The back of a tile; what is on the other side of a back nobody knows."""
        return None if piece == DOWN else DOWN

    def carried(self, what: str, side: Side) -> Piece | None:
        """The shape that a tile carries, where that side is up."""
        if what not in SHAPES:
            return None
        return what if side == "heads" else DOWN


_HEADS: Side = "heads"


@dataclass(frozen=True, slots=True)
class FlipSwitchRules:
    """The door of Flip Switch: `Rules`."""

    name: str = NAME
    title: str = TITLE
    about: str = (
        "Flip and switch nine tiles until three of a shape are in a row; nullify two shapes to win a round."
    )

    @property
    def options(self) -> tuple[Option, ...]:
        """Which lines score, how many rounds win, and when a round without a score is void."""
        return (
            Option("lines", "sides", ("sides", "all"), about="Whether the middle row and column score too."),
            Option("rounds", 2, lowest=1, highest=9, about="Rounds that win the match."),
            Option(
                "quiet_limit",
                0,
                lowest=0,
                highest=200,
                about="Actions in a row without a point after which a round is void; 0 is never.",
            ),
        )

    def game(self, options: Mapping[str, object]) -> FlipSwitchGame:
        """The game with these options. Raises `WrongOption` that names option, value and what is allowed."""
        values = chosen(self.options, options)
        lines: Lines = "all" if values["lines"] == "all" else "sides"
        return FlipSwitchGame(values, Terms(lines, int(values["rounds"]), int(values["quiet_limit"])))


FLIP_SWITCH = FlipSwitchRules()
