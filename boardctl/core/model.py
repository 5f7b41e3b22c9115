"""The words of the table: cell, piece, change, move, position, game. It imports nothing of ours.

A board is cells with pieces on them. The one physical atom is a `Change` of a cell; a `Move` is the change
that identifies it (its *act*) and the changes it obliges (its *dues*). A `Position` knows the rules; a `Game`
knows the board, the pieces and where they start. The core reads these and knows nothing else about a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

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
    group: str = ""
    """The label it shares with moves that are one until something hidden comes to light; else empty."""
    answer: str = ""
    """What then came to light, and tells it from the others of its group."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """Act and dues together, in that order."""
        return self.act + self.dues

    @property
    def known_as(self) -> str:
        """The label as far as it is known before the move is made."""
        return self.group or self.label


class Point(NamedTuple):
    """A player made a point with this."""

    player: Player
    shape: str


class Round(NamedTuple):
    """A round of a match ended; `player` won it, or nobody."""

    player: Player | None


News: TypeAlias = Point | Round
"""What a move led to besides its changes."""


class Call(NamedTuple):
    """What a player may call after a move: it changes nothing on the board, but binds the next player."""

    player: Player
    """Who calls."""
    call: str
    """The word, as announced: without whom it is said to."""
    cells: tuple[Cell, ...]
    """The cells whose pieces it names, sorted."""
    after: Position
    """The position once it has been called."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (a player, allies in order of play, or None for a draw), why, the score."""

    winner: Player | tuple[Player, ...] | None
    because: str
    score: Mapping[Player, int]


Lying: TypeAlias = Mapping[Cell, Collection[Piece]]
"""What may lie on cells, as far as sensors can tell: several pieces where they see no difference, none if empty."""


class Position(Protocol):
    """What lies where, who is to move, and what the rules allow. A value: `play` answers a new one.

    Derive from `PlainPosition` to write only what is special about a game.
    """

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
        """The score as it stands, a number for each player; empty where a game has none."""
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
        """This position with other pieces on these cells: a board that stands as it lies. Same player to move.

        Asked only where moves have dues, and so turns can be missed.
        """
        ...

    def faults(self, lying: Lying) -> Mapping[Cell, str | None]:
        """Why what hands did is no move of the player to move: reasons of `wrong` for cells of `lying`.

        `lying` names every cell where another piece lies than should, another of the same kind, or none. None for a
        cell: what is missing there lies somewhere else, and the fault is named there. A cell left out is judged
        without the rules: a stray piece, a missing one, or a wrong side.
        """
        ...

    @property
    def must(self) -> Sequence[Cell]:
        """Cells, sorted, one of which the player has to move from; empty where nothing binds."""
        ...

    @property
    def dictated(self) -> bool:
        """Whether nobody chooses the move: the one there is has to be made by whoever is at the board."""
        ...

    @property
    def news(self) -> Sequence[News]:
        """What the move that led here brought about, in order."""
        ...

    @property
    def relaid(self) -> bool:
        """Whether the board has to be laid anew for it: a round has ended and the next begins."""
        ...

    @property
    def calls(self) -> Mapping[str, Call]:
        """All that may be called now, by the word that is said for it."""
        ...

    def no_call(self, word: str) -> str:
        """Why a word that is not among `calls` cannot be called: a reason of `refused`."""
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
    step: int = 1
    """From one possible number to the next."""

    @property
    def allowed(self) -> str:
        """What it may be, for people: `standard, parallel`, `0 to 20`."""
        if isinstance(self.default, bool):
            return "true, false"
        if self.choices or self.step > 1:
            return ", ".join(self.choices or map(str, range(self.lowest, self.highest + 1, self.step)))
        return f"{self.lowest} to {self.highest}"


Handling = Literal["put", "move", "exchange"]
"""What hands do with pieces: put them on cells; move them to other cells, taking what stands there; exchange two."""


class Edge(NamedTuple):
    """A line between two cells, and whose it is (empty: everybody's)."""

    a: Cell
    b: Cell
    owner: Player = ""


class Look(NamedTuple):
    """How a piece looks: its form, its colour, the figure on it, and whether it bears an ornament."""

    form: Literal["disc", "tile", "man"]
    colour: Literal["black", "white", "blue", "red", "wood"]
    figure: str = ""
    ornate: bool = False


class Game(Protocol):
    """One game with its options chosen: the board, the pieces, the starts.

    Derive from `PlainGame` to write only what is special about it.
    """

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
    def hands(self) -> Handling:
        """What hands do with pieces; a board of buttons goes by it."""
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
    def looks(self) -> Mapping[Piece, Look]:
        """How each piece looks; empty where the two sides of a disc are all there is."""
        ...

    @property
    def edges(self) -> Sequence[Edge]:
        """Lines between cells that people have to see; empty where cells are squares."""
        ...

    @property
    def carriers(self) -> Mapping[Cell, str]:
        """What the piece that starts on each cell carries, shown or hidden: what tags tell. Empty: they are alike."""
        ...

    @property
    def shuffled(self) -> bool:
        """Whether nobody knows which of the carriers starts where: a simulated table shuffles them."""
        ...

    @property
    def calls(self) -> Sequence[str]:
        """The words that may be called after a move."""
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
        """The piece as it shows when turned over in place; None where it does not turn, or nobody knows."""
        ...

    def carried(self, what: str, side: Side) -> Piece | None:
        """The piece a tag stands for: what carries it (trace header), which side is up. None: no such piece."""
        ...

    def spoken(self, label: str) -> str:
        """A move as a person says it: `D3`, `E6 takes F5`. Without who makes it, and without a full stop."""
        ...

    def rivals(self, player: Player) -> tuple[Player, ...]:
        """Who wins when this player gives up: the others, less the allies, in order of play."""
        ...


class PlainPosition:
    """What most positions have in common: no score, no marks, no calls, nothing that has to be moved."""

    __slots__ = ()

    @property
    def score(self) -> Mapping[Player, int]:
        """No score."""
        return {}

    @property
    def supply(self) -> Mapping[str, int]:
        """Nothing beside the board."""
        return {}

    @property
    def marks(self) -> frozenset[Cell]:
        """No marks."""
        return frozenset()

    @property
    def must(self) -> Sequence[Cell]:
        """Nothing binds."""
        return ()

    @property
    def dictated(self) -> bool:
        """Players choose."""
        return False

    @property
    def news(self) -> Sequence[News]:
        """A move leads to nothing else."""
        return ()

    @property
    def relaid(self) -> bool:
        """There are no rounds."""
        return False

    @property
    def calls(self) -> Mapping[str, Call]:
        """There is nothing to call."""
        return {}

    def standing(self, pieces: Mapping[Cell, Piece]) -> Position:
        """Never asked: moves of this game oblige nothing, so nothing can be left standing."""
        raise NotImplementedError(f"no move has dues, and yet {', '.join(pieces)} should stand")

    def faults(self, lying: Lying) -> Mapping[Cell, str | None]:  # noqa: ARG002  # a plain game has no reasons
        """No reasons: what lies wrong is judged without the rules."""
        return {}

    def no_call(self, word: str) -> str:  # noqa: ARG002  # a plain game has no calls
        """There is nothing to call."""
        return "not-open"


class PlainGame:
    """What most games have in common: pieces that hands put down, alike but for what they show, and no lines."""

    __slots__ = ()

    @property
    def noun(self) -> str:
        """A piece."""
        return "piece"

    @property
    def hands(self) -> Handling:
        """Hands put pieces on cells."""
        return "put"

    @property
    def looks(self) -> Mapping[Piece, Look]:
        """The two sides of a disc."""
        return {}

    @property
    def edges(self) -> Sequence[Edge]:
        """No lines."""
        return ()

    @property
    def carriers(self) -> Mapping[Cell, str]:
        """Pieces are alike."""
        return {}

    @property
    def shuffled(self) -> bool:
        """Nothing is hidden."""
        return False

    @property
    def calls(self) -> Sequence[str]:
        """Nothing is called."""
        return ()

    @property
    def practice(self) -> int:
        """Every ply is scored."""
        return 0

    @property
    def pass_automatic(self) -> bool:
        """A forced pass is acknowledged."""
        return False

    if TYPE_CHECKING:

        @property
        def players(self) -> Mapping[Player, str]: ...
        @property
        def faces(self) -> Mapping[Piece, Side]: ...

    def turned(self, piece: Piece) -> Piece | None:  # noqa: ARG002  # pieces of a plain game have no other side
        """Nothing: pieces do not turn."""
        return None

    def carried(self, what: str, side: Side) -> Piece | None:  # noqa: ARG002  # nor does it matter which is up
        """The piece of that name, whichever side is up."""
        return what if what in self.faces else None

    def spoken(self, label: str) -> str:
        """The label as printed on a board."""
        return label if label == PASS else label.upper()

    def rivals(self, player: Player) -> tuple[Player, ...]:
        """All the others: nobody has allies."""
        return tuple(other for other in self.players if other != player)


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
