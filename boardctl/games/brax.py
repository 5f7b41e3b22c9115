"""Brax as a table knows it: names, players, options, and the men as they look.

The rules are in `braxing`, what a board is in `linework`; boards come from files, and so from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from boardctl.core.model import (
    PASS,
    Cell,
    Edge,
    Handling,
    Look,
    Option,
    Piece,
    PlainGame,
    Player,
    Side,
    WrongOption,
    chosen,
)
from boardctl.games.braxing import BRAX as CALL
from boardctl.games.braxing import MenPosition, Terms, colour, seats
from boardctl.games.linework import LineBoard

NAME, TITLE = "brax", "Brax"
DEFAULT_BOARD = "square"
"""The board of the patent, and the only one for other than two players."""

Seats = Mapping[Player, Sequence[Cell]]
SEATS: Mapping[int, Seats] = {
    1: {"blue": ("e1",), "red": ("b9", "c9", "d9", "e9", "f9", "g9", "h9")},
    3: {
        "blue": ("c1", "d1", "e1", "f1", "g1"),
        "red_1": ("b9", "c9", "d9"),
        "red_2": ("f9", "g9", "h9"),
    },
    4: {
        "blue_1": ("c1", "e1", "g1"),
        "red_1": ("c9", "e9", "g9"),
        "blue_2": ("a3", "a5", "a7"),
        "red_2": ("i3", "i5", "i7"),
    },
}
"""Who starts where on the square board, in order of play (rulings, section 3); two players as the board says."""
LETTERS: Mapping[int, Mapping[Player, str]] = {
    3: {"blue": "B", "red_1": "R", "red_2": "S"},
    4: {"blue_1": "B", "red_1": "T", "blue_2": "L", "red_2": "R"},
}
"""A letter for each player's men: with four, where they sit (bottom, top, left, right)."""


@dataclass(frozen=True, slots=True)
class BraxGame(PlainGame):
    """Brax with its options chosen: a `Game`."""

    options: Mapping[str, str | int | bool]
    terms: Terms
    seated: Seats
    name: str = NAME
    title: str = TITLE

    @property
    def hands(self) -> Handling:
        """Men go from point to point and take what stands there."""
        return "move"

    @property
    def points(self) -> Mapping[Cell, tuple[float, float]]:
        """The points of the board, Blue's side at the bottom."""
        return self.terms.board.points

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The lines, each of one side's colour."""
        return self.terms.board.edges

    @property
    def players(self) -> dict[Player, str]:
        """Blue, Red, or with allies Blue 1, Red 1 and so on."""
        return {player: player.replace("_", " ").capitalize() for player in self.seated}

    @property
    def faces(self) -> dict[Piece, Side]:
        """Blue men are heads, red ones tails; which ally owns one no sensor for polarity sees."""
        return {player: _side(player) for player in self.seated}

    @property
    def letters(self) -> Mapping[Piece, str]:
        """A letter for each player's men."""
        return LETTERS.get(len(self.seated), {player: player[0].upper() for player in self.seated})

    @property
    def looks(self) -> dict[Piece, Look]:
        """Men in the colour of their side; those of the second ally with the ornamented side up."""
        return {player: _look(player) for player in self.seated}

    @property
    def carriers(self) -> dict[Cell, str]:
        """The owner of every man."""
        return dict(seats(self.seated))

    @property
    def calls(self) -> tuple[str, ...]:
        """`brax`, except where the script plays."""
        return () if self.terms.scripted else (CALL,)

    @property
    def starts(self) -> tuple[MenPosition, ...]:
        """The men at their places, the first player to move."""
        script = tuple(self.seated[self.terms.scripted]) if self.terms.scripted else ()
        return (MenPosition(self.terms, self.terms.order[0], self.carriers, script=script),)

    def spoken(self, label: str) -> str:
        """G1 to G3; E6 takes F5."""
        verb, sign = (" to ", "-") if "-" in label else (" takes ", "x")
        return verb.join(cell.upper() for cell in label.split(sign)) if label != PASS else PASS

    def rivals(self, player: Player) -> tuple[Player, ...]:
        """The players of the other side."""
        return tuple(other for other in self.seated if colour(other) != colour(player))


def _side(player: Player) -> Side:
    return "heads" if colour(player) == "blue" else "tails"


def _look(player: Player) -> Look:
    return Look("man", "blue" if colour(player) == "blue" else "red", ornate=player.endswith("_2"))


@dataclass(frozen=True, slots=True)
class BraxRules:
    """The door of Brax: `Rules`. Its boards are given to it, for they are files."""

    board_names: Callable[[], Sequence[str]]
    """The names of all boards there are, the standard one first."""
    board: Callable[[str], LineBoard]
    """The board of a name. Raises `WrongOption` where its file is no board."""
    name: str = NAME
    title: str = TITLE
    about: str = (
        "Men on coloured lines: two spaces along your own, one along the other's; call brax to force a move."
    )

    @property
    def options(self) -> tuple[Option, ...]:
        """How many play, on which board, when a game without captures is drawn, and who may call."""
        return (
            Option(
                "players", 2, lowest=1, highest=4, about="How many play; one hunts men that the lights move."
            ),
            Option(
                "board", DEFAULT_BOARD, tuple(self.board_names()), about="What the figures of the board are."
            ),
            Option(
                "quiet_limit",
                0,
                lowest=0,
                highest=1000,
                about="Moves in a row without a capture that make a draw; 0 is never.",
            ),
            Option("lone_may_call", True, about="Whether a lone man may call brax against three or more."),
        )

    def game(self, options: Mapping[str, object]) -> BraxGame:
        """The game with these options. Raises `WrongOption` that names option, value and what is allowed."""
        values = chosen(self.options, options)
        count, where = int(values["players"]), str(values["board"])
        if count != 2 and where != DEFAULT_BOARD:
            raise WrongOption(f"players is {count}; on the {where} board it is 2")
        board = self.board(where)
        seated = SEATS.get(count, board.starts)
        if missing := [cell for cell, _ in seats(seated) if cell not in board.points]:
            raise WrongOption(
                f"players is {count}; the {where} board has no point {missing[0]} to start from"
            )
        return BraxGame(values, _terms(values, board, seated), seated)


def _terms(values: Mapping[str, str | int | bool], board: LineBoard, seated: Seats) -> Terms:
    count = int(values["players"])
    return Terms(
        board,
        tuple(seated),
        doubled="blue" if count == 3 else None,
        scripted="red" if count == 1 else None,
        quiet_limit=int(values["quiet_limit"]),
        lone_may_call=bool(values["lone_may_call"]),
    )
