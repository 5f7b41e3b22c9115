"""The words of the table: cell, piece, change, move, position, game. It imports nothing of ours.

A board is cells with pieces on them. The one physical atom is a `Change` of a cell; a `Move` is the change
that identifies it (its *act*) and the changes it obliges (its *dues*). A `Position` knows the rules; a `Game`
knows the board, the pieces and where they start. The core reads these and knows nothing else about a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

Cell = str
"""A place a piece can lie on, in lower case: `d3`."""
Piece = str
"""What lies on a cell, as it shows: `black`, `X`, `star`, `face-down`."""
Player = str
"""Who moves: `black`, `O`, `1`."""
Side = Literal["heads", "tails"]
"""The face of a piece that is up, as a sensor for polarity sees it."""

PASS = "pass"
"""The label of a missed turn."""


class Change(NamedTuple):
    """One cell, what lay there before and what lies there after (None: nothing)."""

    cell: Cell
    before: Piece | None
    after: Piece | None


class Move(NamedTuple):
    """A legal move: its label, the changes that identify it and the changes it obliges."""

    label: str
    act: tuple[Change, ...] = ()
    dues: tuple[Change, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """Act and dues together, in that order."""
        return self.act + self.dues


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (a player, allies in order of play, or None for a draw), why, the score."""

    winner: Player | tuple[Player, ...] | None
    because: str
    score: Mapping[Player, int]


class Position(Protocol):
    """What lies where, who is to move, and what the rules allow. A value: `play` answers a new one."""

    @property
    def player(self) -> Player:
        """Whose turn it is."""
        ...

    @property
    def pieces(self) -> Mapping[Cell, Piece]:
        """What lies on every cell that is not empty."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    @property
    def score(self) -> Mapping[Player, int]:
        """The score as it stands, a number for each player."""
        ...

    @property
    def supply(self) -> Mapping[str, int]:
        """Pieces not yet on the board: for each player, or under `shared`; empty where a game has none."""
        ...

    @property
    def marks(self) -> frozenset[Cell]:
        """Cells whose piece carries a mark people must see (nullified, threatened by a call)."""
        ...

    def moves(self) -> Sequence[Move]:
        """All legal moves; the one move labelled `pass` where the player has to miss the turn; none when over."""
        ...

    def play(self, move: Move) -> Position:
        """The position after a move that `moves` offered."""
        ...

    def standing(self, pieces: Mapping[Cell, Piece]) -> Position:
        """This position with other pieces on these cells: a board that stands as it lies. Same player to move."""
        ...

    def fault(self, cell: Cell, piece: Piece | None) -> str:
        """Why a piece put on this empty cell is no move: a reason of `wrong`. `None`: the sensors see no side."""
        ...


class Option(NamedTuple):
    """A choice two groups of players make differently."""

    name: str
    """The key, as in a trace header."""
    default: str | int | bool
    choices: tuple[str, ...] = ()
    """The allowed words of a text option; empty for numbers and switches."""
    lowest: int = 0
    """The least value of a number."""
    highest: int = 0
    """The greatest value of a number."""
    about: str = ""
    """One sentence for people."""


class Game(Protocol):
    """One game with its options chosen: the board, the pieces, the starts."""

    @property
    def name(self) -> str:
        """The name in traces and commands."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def noun(self) -> str:
        """What a piece is called in a sentence: disc, tile, piece."""
        ...

    @property
    def points(self) -> Mapping[Cell, tuple[float, float]]:
        """Every cell in reading order, with its place (x to the right, y downwards, one unit a cell)."""
        ...

    @property
    def players(self) -> Mapping[Player, str]:
        """The players in order of play, with the name for people."""
        ...

    @property
    def faces(self) -> Mapping[Piece, Side]:
        """Every piece, and the side it shows a sensor for polarity."""
        ...

    @property
    def letters(self) -> Mapping[Piece, str]:
        """A letter for every piece, so that colour is never required."""
        ...

    @property
    def options(self) -> Mapping[str, str | int | bool]:
        """The options this game was made with, all of them."""
        ...

    @property
    def starts(self) -> Sequence[Position]:
        """The positions it may begin with, the standard one first; several where players may lay either."""
        ...

    @property
    def practice(self) -> int:
        """Unscored plies played before the board is set up again."""
        ...

    @property
    def pass_automatic(self) -> bool:
        """Whether a forced pass needs no acknowledgement."""
        ...

    def turned(self, piece: Piece) -> Piece | None:
        """The piece as it shows when turned over in place, or None where pieces do not turn."""
        ...

    def carried(self, what: str, side: Side) -> Piece | None:
        """The piece a tag stands for: what carries it (trace header), which side is up. None: unknown."""
        ...


class Rules(Protocol):
    """The door of a plug-in: an object under an entry point of the group `boardctl.games`."""

    @property
    def name(self) -> str:
        """The name in traces and commands."""
        ...

    @property
    def title(self) -> str:
        """The name for people."""
        ...

    @property
    def about(self) -> str:
        """One sentence that tells a newcomer what the game is."""
        ...

    @property
    def options(self) -> Sequence[Option]:
        """Every option of the game."""
        ...

    def game(self, options: Mapping[str, object]) -> Game:
        """The game with these options, the others at their defaults. Raises `WrongOption` naming the fault."""
        ...


class WrongOption(ValueError):
    """An option that the game does not have, or a value it does not allow."""


def chosen(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, str | int | bool]:
    """Every option with the value given or its default. Raises `WrongOption` with name, value and what is allowed."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise WrongOption(f"there is no option {name!r}; there is {_listed(known) or 'none'}")
    return {option.name: _value(option, given.get(option.name, option.default)) for option in options}


def _value(option: Option, value: object) -> str | int | bool:
    if isinstance(option.default, bool):
        if isinstance(value, bool):
            return value
        raise WrongOption(f"{option.name} is {value!r}; it is true or false")
    if isinstance(option.default, int):
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and option.lowest <= value <= option.highest
        ):
            return value
        raise WrongOption(
            f"{option.name} is {value!r}; it is a number from {option.lowest} to {option.highest}"
        )
    if isinstance(value, str) and value in option.choices:
        return value
    raise WrongOption(f"{option.name} is {value!r}; it is one of {_listed(option.choices)}")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
