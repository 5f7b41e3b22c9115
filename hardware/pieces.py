"""The pieces of a simulated game: what each carries, how a person sees it, and which one is laid where.

Only the table knows what lies face down. Where nobody is to know, chance decides it, here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from boardctl.core.model import Cell, Game, Piece, Side
from hardware.sights import Disc


class Pieces:
    """All pieces of one game. Those of a game without carriers are alike, and there are as many as one likes."""

    def __init__(self, game: Game, chance: Random, carried: Mapping[str, str] | None = None) -> None:
        """`carried`: what carries each tag, where that is known already; else tags are given out."""
        self._game, self._chance = game, chance
        self._piece_of: dict[Side, Piece] = {
            side: piece for piece, side in reversed(list(game.faces.items()))
        }
        self.carried: Mapping[str, str] = carried or self._given_out()
        """What carries each tag; empty where pieces are alike."""

    def _given_out(self) -> dict[str, str]:
        carriers = list(self._game.carriers.values())
        if self._game.shuffled:
            self._chance.shuffle(carriers)
        return {f"t{number:02d}": what for number, what in enumerate(carriers, 1)}

    def seen(self, disc: Disc) -> Piece:
        """A piece as a person standing at the board sees it."""
        what = self.carried.get(disc.tag)
        shown = None if what is None else self._game.carried(what, disc.side)
        return shown or self._piece_of[disc.side]

    def laid(
        self, pieces: Mapping[Cell, Piece | None], lying: Mapping[Cell, Disc] | None = None
    ) -> dict[Cell, Disc]:
        """One piece for every cell, so that the board shows these; what is hidden is as chance will have it.

        Of what lies there now (`lying`, where it may stay) that stays which shows what it should.
        """
        faces = self._game.faces
        wanted = {cell: piece for cell, piece in pieces.items() if piece is not None and piece in faces}
        if not self.carried:
            return {cell: Disc(faces[piece]) for cell, piece in wanted.items()}
        kept = {cell: disc.tag for cell, disc in (lying or {}).items() if self.seen(disc) == wanted.get(cell)}
        left = list(self.carried)
        if self._game.shuffled:
            self._chance.shuffle(left)
        left.sort(key=set(kept.values()).__contains__)
        found: dict[Cell, Disc] = {}
        for cell in sorted(wanted, key=lambda cell: len(self._carriers_of(wanted[cell]))):
            fitting = [tag for tag in left if self.carried[tag] in self._carriers_of(wanted[cell])]
            tag = kept[cell] if kept.get(cell) in fitting else next(iter(fitting), None)
            if tag is not None:
                left.remove(tag)
                found[cell] = Disc(faces[wanted[cell]], tag)
        return found

    def beside(self, laid: Mapping[Cell, Disc]) -> list[Disc]:
        """The pieces that are not among those laid, each with the side up that it begins with."""
        game, tags = self._game, {disc.tag for disc in laid.values()}
        begins = {what: game.faces[game.starts[0].pieces[cell]] for cell, what in game.carriers.items()}
        return [Disc(begins[what], tag) for tag, what in self.carried.items() if tag not in tags]

    def _carriers_of(self, piece: Piece) -> set[str]:
        """All that may be carried by what shows this: of a hidden piece, much."""
        side = self._game.faces[piece]
        return {what for what in self.carried.values() if self._game.carried(what, side) == piece}
