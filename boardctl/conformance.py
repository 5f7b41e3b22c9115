"""Whether a game keeps what the core relies on: random games played through, every position looked at.

Our own games are tested with it, and `boardctl games --check NAME` runs a stranger's through the same. What it asks
is the protocol of `boardctl.core.model` put as questions; it knows no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from boardctl.core.model import PASS, Cell, Game, Move, Outcome, Piece, Position, Rules, WrongOption
from boardctl.core.record import lay

RESERVED = frozenset({"undo", "ok", "draw", "resign", "new", "nothing", "keep", "trust", "distrust"})
"""Words that people say to the judge: no move may be called so."""
LONGEST = 600
"""Plies after which a random game is left unfinished."""


class Breach(NamedTuple):
    """Something a game does that the core cannot live with: where it was met, and what it is."""

    where: str
    what: str

    def __str__(self) -> str:
        """Both in one line."""
        return f"{self.where}: {self.what}"


def breaches(rules: Rules, games: int = 20, seed: int = 0) -> list[Breach]:
    """What is wrong with a game, at most once each kind; so many random games of every variant, repeatable by seed."""
    found: dict[str, Breach] = {}
    for breach in _all_breaches(rules, games, seed):
        found.setdefault(breach.what.partition(":")[0], breach)
    return list(found.values())


def variants(rules: Rules) -> Iterator[Mapping[str, str | int | bool]]:
    """Every single option at each of its words, or at its least and greatest number; the defaults first."""
    yield {}
    for option in rules.options:
        if isinstance(option.default, bool):
            yield {option.name: not option.default}
        elif isinstance(option.default, int):
            yield from ({option.name: n} for n in {option.lowest, option.highest} - {option.default})
        else:
            yield from ({option.name: word} for word in option.choices if word != option.default)


def _all_breaches(rules: Rules, games: int, seed: int) -> Iterator[Breach]:
    yield from _options(rules)
    for options in variants(rules):
        try:
            game = rules.game(options)
        except WrongOption as fault:
            if not options:
                yield Breach(rules.name, f"the defaults are refused: {fault}")
            continue
        yield from _board(game, f"{rules.name} {options or ''}".strip())
        for number in range(games):
            yield from _random_game(game, Random(f"{seed} {number}"), f"{rules.name} {options or ''}".strip())


def _options(rules: Rules) -> Iterator[Breach]:
    try:
        rules.game({"no such option": 1})
    except WrongOption:
        return
    yield Breach(rules.name, "an unknown option is not refused with WrongOption")


def _board(game: Game, where: str) -> Iterator[Breach]:
    """The board, the pieces and the players, before anybody moves."""
    if not game.starts:
        yield Breach(where, "there is no start")
    if len(game.players) < 1:
        yield Breach(where, "there is no player")
    for piece in game.faces.keys() - game.letters.keys():
        yield Breach(where, f"a piece has no letter: {piece}")
    for cell in game.points:
        if cell != cell.lower() or not cell.strip() or " " in cell:
            yield Breach(where, f"a cell is not named in lower case without spaces: {cell!r}")
    for a, b, _ in game.edges:
        if not {a, b} <= game.points.keys():
            yield Breach(where, f"a line leads to a cell that is not there: {a}-{b}")


def _random_game(game: Game, chance: Random, where: str) -> Iterator[Breach]:
    position: Position = chance.choice(list(game.starts))
    played: list[str] = []
    while len(played) < LONGEST:
        here = f"{where}, after {' '.join(played[-8:]) or 'the start'}"
        moves = position.moves()
        yield from (Breach(here, what) for what in _looked_at(game, position, moves))
        if not moves:
            return
        move = chance.choice(list(moves))
        after = position.play(move)
        yield from (Breach(here, what) for what in _played(position, move, after, moves))
        if after.calls and chance.random() < 0.3:
            after = chance.choice(list(after.calls.values())).after
        position, played = after, [*played, move.label]


def _looked_at(game: Game, position: Position, moves: Sequence[Move]) -> Iterator[str]:
    """What is wrong with a position as it stands."""
    if bool(moves) == (position.outcome is not None):
        yield "a position must have a legal move or an outcome, and not both"
    if position.player not in game.players:
        yield f"nobody of the players is to move: {position.player}"
    if position.outcome is not None:
        yield from _ended(game, position.outcome)
    for cell, piece in position.pieces.items():
        if cell not in game.points or piece not in game.faces:
            yield f"a piece does not fit the board: {piece} on {cell}"
    yield from _labelled(moves)
    yield from (what for move in moves for what in _fits(position.pieces, move))
    for word, call in position.calls.items():
        if word.partition(" ")[0] not in game.calls or call.after.pieces != position.pieces:
            yield f"a call is no word of the game, or moves pieces: {word}"
    if not set(position.must) <= position.pieces.keys() or not position.marks <= position.pieces.keys():
        yield "an empty cell is marked, or has to be moved from"
    yield from _judged(game, position)


def _ended(game: Game, outcome: Outcome) -> Iterator[str]:
    winners = () if outcome.winner is None else outcome.winner
    named = {winners} if isinstance(winners, str) else set(winners)
    if not named | outcome.score.keys() <= game.players.keys():
        yield f"the outcome names somebody who does not play: {outcome}"


def _labelled(moves: Sequence[Move]) -> Iterator[str]:
    labels = Counter(move.label for move in moves)
    for label, times in labels.items():
        if times > 1 or not label or label.partition(" ")[0] in RESERVED:
            yield f"a label is used twice, empty, or a word of the judge: {label!r}"
    looks = Counter((move.known_as, frozenset(move.changes)) for move in moves if move.label != PASS)
    if any(times > 1 for times in looks.values()):
        yield "two moves of one name change the same"
    acts: dict[frozenset[object], str] = {}
    for move in moves:
        other = acts.setdefault(frozenset(move.changes), move.label)
        if other != move.label:
            yield f"two moves look the same to hands: {other} and {move.label}"
    if PASS in labels and len(moves) > 1:
        yield "a player may pass although there is a move"
    if any(bool(move.group) != bool(move.answer) for move in moves):
        yield "a move has a group without an answer, or an answer without a group"


def _fits(pieces: Mapping[Cell, Piece], move: Move) -> Iterator[str]:
    """What is wrong with the changes of one move."""
    if not move.act and move.label != PASS:
        yield f"a move has no act: {move.label}"
    cells = [change.cell for change in move.changes]
    if len(set(cells)) < len(cells):
        yield f"a move changes a cell twice: {move.label}"
    for cell, before, after in move.changes:
        if pieces.get(cell) != before or before == after:
            yield f"a change's before is not what lies there, or it changes nothing: {move.label}, {cell}"


def _played(position: Position, move: Move, after: Position, moves: Sequence[Move]) -> Iterator[str]:
    """What is wrong with how a position went on, and with what it left behind."""
    laid = dict(position.pieces)
    lay(laid, move)
    if not after.relaid and laid != dict(after.pieces):
        yield f"the position after a move is not what its changes lead to: {move.label}"
    if position.moves() != moves or any(True for what in _fits(position.pieces, move)):
        yield f"playing changes the position it was played from: {move.label}"
    if move.dues:
        try:
            position.standing({})
        except NotImplementedError:
            yield "moves have dues, but a position cannot be left standing"


def _judged(game: Game, position: Position) -> Iterator[str]:
    """Whether a stray piece is judged without an accident, on the first cells in reading order."""
    empty = next((cell for cell in game.points if cell not in position.pieces), None)
    full = next(iter(position.pieces), None)
    lying: dict[Cell, Iterable[Piece]] = {}
    if empty is not None:
        lying[empty] = frozenset(game.faces)
    if full is not None:
        lying[full] = frozenset()
    reasons = position.faults({cell: frozenset(pieces) for cell, pieces in lying.items()})
    if not reasons.keys() <= lying.keys():
        yield f"a reason is given for a cell that was not asked about: {sorted(reasons.keys() - lying.keys())}"
