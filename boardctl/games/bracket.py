"""The bracket family as a table knows it: `bracket`, `fundex` and `othello`, three games that one engine plays.

They differ in their names, in who begins, in the size of the board, in where discs come from and in how the end is
noticed. All that is said once, in the three objects at the end; how discs are bracketed is in `bracketing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from boardctl.core.model import Cell, Option, Piece, PlainGame, Player, Side, WrongOption, chosen
from boardctl.games.bits import SIZES
from boardctl.games.bracketing import BracketPosition, End, Supply, Terms, crossed, terms


@dataclass(frozen=True, slots=True)
class BracketGame(PlainGame):
    """One game of the family with its options chosen: a `Game`."""

    name: str
    title: str
    players: Mapping[Player, str]
    options: Mapping[str, str | int | bool]
    terms: Terms

    @property
    def noun(self) -> str:
        """What a piece is called in a sentence."""
        return "disc"

    @property
    def points(self) -> dict[Cell, tuple[float, float]]:
        """Every cell in reading order with its place: a1 at (0, 0), b1 at (1, 0), a2 at (0, 1)."""
        size = self.terms.board.size
        return {cell: (float(n % size), float(n // size)) for n, cell in enumerate(self.terms.board.bits)}

    @property
    def faces(self) -> Mapping[Piece, Side]:
        """Both sides of a disc; heads is X, or black."""
        return self.terms.faces

    @property
    def letters(self) -> dict[Piece, str]:
        """X for heads, O for tails."""
        heads, tails = self.terms.faces
        return {heads: "X", tails: "O"}

    @property
    def starts(self) -> tuple[BracketPosition, ...]:
        """Two discs of each side crossed in the middle; both ways, the standard one first, if it is `as-laid`."""
        standard, mirrored = crossed(self.terms, "standard"), crossed(self.terms, "mirrored")
        starts = {"standard": (standard,), "mirrored": (mirrored,), "as-laid": (standard, mirrored)}
        return starts[str(self.options["diagonal"])]

    @property
    def practice(self) -> int:
        """Unscored plies played before the board is set up again."""
        return int(self.options["practice"])

    @property
    def pass_automatic(self) -> bool:
        """Whether a forced pass needs no acknowledgement."""
        return self.options["pass"] == "automatic"

    def turned(self, piece: Piece) -> Piece | None:
        """The other side of a disc."""
        return self.terms.rival.get(piece)

    def carried(self, what: str, side: Side) -> Piece | None:  # noqa: ARG002  # a disc is like any other
        """The side of a disc that is up; what its tag is said to carry does not matter."""
        return next(piece for piece, face in self.faces.items() if face == side)


@dataclass(frozen=True, slots=True)
class BracketRules:
    """What tells one game of the family from the others: `Rules`, the door of a plug-in."""

    name: str
    title: str
    about: str
    sides: Mapping[Player, str]
    """Who plays heads, then who plays tails, with their names for people."""
    first: Player
    """Who begins, unless chosen otherwise."""
    size: int
    """Cells along a side, unless chosen otherwise."""
    end: End
    supply: Supply

    @property
    def options(self) -> tuple[Option, ...]:
        """Who begins, the start, passes, the count, practice and the size of the board."""
        crossings = ("standard", "mirrored", "as-laid")
        return (
            Option("first", self.first, tuple(self.sides), about="Who moves first."),
            Option(
                "diagonal", "standard", crossings, about="Which way the four discs in the middle are crossed."
            ),
            Option(
                "pass", "announce", ("announce", "automatic"), about="Whether a forced pass waits for a word."
            ),
            Option("empties_to_winner", False, about="Whether empty cells count for the winner at the end."),
            Option(
                "practice", 0, lowest=0, highest=20, about="Unscored moves before the board is set up again."
            ),
            Option(
                "size",
                self.size,
                lowest=SIZES[0],
                highest=SIZES[-1],
                about="How many cells along a side.",
                step=2,
            ),
        )

    def game(self, options: Mapping[str, object]) -> BracketGame:
        """The game with these options. Raises `WrongOption` that names option, value and what is allowed."""
        values = chosen(self.options, options)
        size, first = int(values["size"]), str(values["first"])
        if size not in SIZES:
            raise WrongOption(f"size is {size}; it is one of {', '.join(map(str, SIZES))}")
        heads, tails = self.sides
        empties = "winner" if values["empties_to_winner"] else "nobody"
        agreed = terms(size, (heads, tails), first, self.end, self.supply, empties)
        return BracketGame(
            self.name, self.title, {who: self.sides[who] for who in agreed.order}, values, agreed
        )


BRACKET = BracketRules(
    name="bracket",
    title="Bracket and Flip",
    about="Bracket an unbroken line of opposing discs and turn it; on six by six, and two passes end the game.",
    sides={"X": "X", "O": "O"},
    first="X",
    size=6,
    end="two-passes",
    supply="shared",
)
FUNDEX = BracketRules(
    name="fundex",
    title="Fundex Reversi",
    about="Trap rows of the other colour between two discs of your own; on eight by eight, and White begins.",
    sides={"black": "Black", "white": "White"},
    first="white",
    size=8,
    end="no-moves",
    supply="shared",
)
OTHELLO = BracketRules(
    name="othello",
    title="Othello",
    about="Flank rows of the other colour and turn them; on eight by eight, 32 discs a player, and Black begins.",
    sides={"black": "Black", "white": "White"},
    first="black",
    size=8,
    end="no-moves",
    supply="own",
)
