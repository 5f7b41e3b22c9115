"""Boards as rows of text, for the tests of the bracket family: `X` heads, `O` tails, `.` empty, row 1 first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from boardctl.core.model import PASS, Move, Player
from boardctl.games.bracket import BracketGame
from boardctl.games.bracketing import BracketPosition

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "othello_cases.json").read_text())["cases"]


def position(game: BracketGame, player: Player, rows: Sequence[str]) -> BracketPosition:
    """This diagram with this player to move."""
    side = {letter: piece for piece, letter in game.letters.items()}
    marked = zip(game.points, "".join(rows), strict=True)
    bare = replace(game.starts[0], player=player, own=0, other=0)
    return bare.standing({cell: side[mark] for cell, mark in marked if mark != "."})


def rows(position: BracketPosition) -> list[str]:
    """The diagram of a position."""
    heads, _ = position.terms.faces
    pieces, size = position.pieces, position.terms.board.size
    marks = {None: ".", heads: "X"}
    text = "".join(marks.get(pieces.get(cell), "O") for cell in position.terms.board.bits)
    return [text[start : start + size] for start in range(0, size * size, size)]


def replayed(position: BracketPosition, moves: str) -> tuple[BracketPosition, list[tuple[int, Player]]]:
    """The position after moves written without passes, and which passes it took: before which move, by whom."""
    passes = []
    for number, start in enumerate(range(0, len(moves), 2), 1):
        if not position.open:
            passes.append((number, position.player))
            position = position.play(Move(PASS))
        position = position.play(Move(moves[start : start + 2]))
    return position, passes


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table of games, by column."""
    lines = (DATA / name).read_text().splitlines()
    header, *entries = [line.split("\t") for line in lines if not line.startswith("#")]
    return [dict(zip(header, entry, strict=True)) for entry in entries]
