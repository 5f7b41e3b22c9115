"""What must have happened: the one explanation of the board as it lies, or several, or none.

Every legal move is a hypothesis, and so are two moves, plies taken back, a move begun and nothing at all. A
hypothesis names cells, never how many; it fits when it accounts for every cell that differs from the record.
Hypotheses are tried in the order in which they outrank each other. This module knows no game and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from boardctl.core.model import Cell, Move, Piece, Position
from boardctl.core.record import Line, Ply, Record, lines_from, unlay
from boardctl.core.sight import Sight


@dataclass(frozen=True, slots=True)
class InOrder:
    """The board lies as the record says."""


@dataclass(frozen=True, slots=True)
class Played:
    """These moves were made, one after the other, after `undone` plies (passes not counted) were taken back.

    `since`: when the piece placed last left its cell, where it may only be in somebody's hand.
    """

    lines: Sequence[Line]
    undone: int = 0
    since: float | None = None

    @property
    def label(self) -> str:
        """The label of the first move."""
        return self.lines[0].move.label


@dataclass(frozen=True, slots=True)
class TakenBack:
    """So many plies (passes not counted) were taken back; `since`: when the last of their cells became empty.

    `plain`: nothing but their absence tells so, and the pieces may only be in somebody's hand. `early`: as below.
    """

    plies: int
    since: float
    plain: bool
    early: frozenset[Cell] = frozenset()


@dataclass(frozen=True, slots=True)
class Several:
    """More than one explanation fits: each under its name."""

    choices: Mapping[str, InOrder | Played | Several]


@dataclass(frozen=True, slots=True)
class Disorder:
    """Nothing new explains it all.

    `early`: cells of a move that waits until what is owed is done. `held`: cells where a legal move may have begun.
    """

    early: frozenset[Cell] = frozenset()
    held: frozenset[Cell] = frozenset()


Explanation: TypeAlias = InOrder | Played | TakenBack | Several | Disorder


class Case(NamedTuple):
    """All that the reconciler looks at."""

    sight: Sight
    record: Record
    new: frozenset[Cell]
    """Cells that differ from the record, but for those owed from the record itself (dues, an undone ply)."""
    owed: frozenset[Cell]
    """Those."""
    undoing: bool
    """Whether they are owed because something was taken back."""
    barred: frozenset[str]
    """Labels of moves taken back by word that still lie there."""
    rolled: frozenset[Cell]
    """Cells of stray pieces that came when the board was upset: no move until they are touched."""
    missing: frozenset[Cell] = frozenset()
    """Cells whose piece has been away so long that nobody is taken to hold it for a moment."""


class Fit(NamedTuple):
    """A move whose act is seen, and the cells it does not account for."""

    line: Line
    rest: frozenset[Cell]


def explain(case: Case) -> Explanation:
    """What must have happened since the record was last brought up to date."""
    fits = list(_fits(case, case.record.lines, case.new))
    if not case.new:
        return _unseen(fits)
    return (
        _in_hand(case, fits)
        or _whole(case, fits)
        or _one_after_the_other(case)
        or _taken_back(case)
        or _begun(case)
        or _left_alone(case, fits)
        or _beside_a_hand(case, fits)
        or (None if _in_air(case, case.new, case.record.pieces) else _with_faults(case, fits))
        or _one_too_many(case, fits)
        or Disorder()
    )


def _in_air(case: Case, cells: Iterable[Cell], pieces: Mapping[Cell, Piece]) -> bool:
    """Whether a piece that should lie on one of these cells is away."""
    return any(case.sight.lies[cell] is None and cell in pieces for cell in cells)


def changed_cells(move: Move) -> frozenset[Cell]:
    """Every cell that a move changes."""
    return frozenset([change.cell for change in move.act] + [change.cell for change in move.dues])


def _fits(case: Case, lines: Iterable[Line], new: frozenset[Cell]) -> Iterator[Fit]:
    for line in lines:
        if line.move.label not in case.barred and _acted(case, line.move, new):
            yield Fit(line, new - changed_cells(line.move))


def _acted(case: Case, move: Move, new: frozenset[Cell]) -> bool:
    """Whether the act of a move is seen to be done."""
    sight, blind = case.sight, True
    for cell, _, after in move.act:
        if cell in sight.wild:
            continue
        if _in_place(move) and not sight.unmoved(cell):
            return False
        if cell not in new and cell not in sight.touched:
            return False
        if not sight.agrees(cell, after) or cell in case.rolled:
            return False
        blind = False
    return not blind or _seen_by_dues(sight, move, new)


def _seen_by_dues(sight: Sight, move: Move, new: frozenset[Cell]) -> bool:
    """Whether a move on cells set aside is known: all its turns are seen, and nothing else."""
    if sight.sensors == "presence" or not new:
        return False
    seen = {cell for cell, _, after in move.dues if cell not in sight.wild and sight.agrees(cell, after)}
    return new == seen == {change.cell for change in move.dues} - sight.wild


def _unseen(fits: Sequence[Fit]) -> Explanation:
    """The board lies as recorded. A move that looks like nothing cannot be told from nothing."""
    if not fits:
        return InOrder()
    return Several({"nothing": InOrder(), **_named([Played([fit.line]) for fit in fits])})


def _in_hand(case: Case, fits: Sequence[Fit]) -> Explanation | None:
    """The piece placed last is away: another player's move may turn it, or it was moved on and is that move."""
    last = case.record.last
    if last is None or not _gone(case.sight, last.move) or not any(not fit.rest for fit in fits):
        return None
    back = _taken_back(case)
    return back if isinstance(back, Played) else None


def _whole(case: Case, fits: Sequence[Fit]) -> Explanation | None:
    """One move, its dues done or not."""
    whole = [fit for fit in fits if not fit.rest]
    if case.owed:
        return _whole_but_early(case, whole)
    return _one_of(Played([fit.line]) for fit in whole)


def _whole_but_early(case: Case, whole: Sequence[Fit]) -> Explanation | None:
    """A move found while something is owed: it waits, unless it turns just what was to be turned back."""
    instead = [fit for fit in whole if case.undoing and _turns_all(case, fit)]
    if len(instead) == 1:
        return Played([instead[0].line])
    return _early(case, whole) if whole else None


def _turns_all(case: Case, fit: Fit) -> bool:
    dues = {change.cell: change.after for change in fit.line.move.dues}
    return all(cell in dues and case.sight.agrees(cell, dues[cell]) for cell in case.owed)


def _early(case: Case, fits: Sequence[Fit]) -> Disorder:
    """Moves that wait until what is owed is done; of those, what is turned already is nobody's mistake."""
    acts = _acts(fits)
    turned = {cell for fit in fits for cell in changed_cells(fit.line.move)} & case.new
    return Disorder(early=acts, held=frozenset(turned - acts))


def _acts(fits: Iterable[Fit]) -> frozenset[Cell]:
    return frozenset(change.cell for fit in fits for change in fit.line.move.act)


def _one_of(found: Iterable[Played]) -> Explanation | None:
    """The only explanation, or all; where they differ in what came to light alone, by that."""
    named = _named(found)
    only = next(iter(named.values()), None)
    return Several(named) if len(named) > 1 else only


def _named(found: Iterable[Played]) -> dict[str, Played | Several]:
    """Explanations by the label of their first move; once for all that differ in what came to light."""
    groups: dict[str, dict[str, Played]] = {}
    for played in found:
        move = played.lines[0].move
        groups.setdefault(move.known_as, {})[move.answer] = played
    return {name: _only(answers) for name, answers in groups.items()}


def _only(answers: Mapping[str, Played]) -> Played | Several:
    return Several(answers) if len(answers) > 1 else next(iter(answers.values()))


def _one_after_the_other(case: Case) -> Explanation | None:
    """A move and the answer to it, found in one rest."""
    if case.owed:
        return None
    first = [line for line in case.record.lines if _placed(case, line.move)]
    found = [played for line in first for played in _answered(case, line)]
    whole = [played for played in found if len(played.lines) > 1]
    return _either_way(case, whole) if whole else _one_of(found)


def _either_way(case: Case, whole: Sequence[Played]) -> Explanation | None:
    """Two moves; the first alone where several answers fit it; none where as many plies were taken back instead."""
    answers: dict[str, list[Played]] = {}
    for played in whole:
        answers.setdefault(played.label, []).append(played)
    firsts = [fits[0] if len(fits) == 1 else Played(fits[0].lines[:1]) for fits in answers.values()]
    back = _taken_back(case)
    if isinstance(back, TakenBack) and not _mover_began(case, firsts[0]):
        return back
    return _one_of(firsts)


def _mover_began(case: Case, played: Played) -> bool:
    """Whether hands touched the first of these moves before the second."""
    order = list(case.sight.touched)
    first = [
        min((order.index(change.cell) for change in line.move.act if change.cell in order), default=0)
        for line in played.lines
    ]
    return first == sorted(first)


def _placed(case: Case, move: Move) -> bool:
    """Whether something was put where the act of a move ends, be it turned since."""
    if move.label in case.barred:
        return False
    ends = [cell for cell, _, after in move.act if after is not None]
    sight = case.sight
    return all(
        (cell in case.new or cell in sight.touched)
        and sight.lies[cell] is not None
        and cell not in case.rolled
        for cell in ends
    )


def _answered(case: Case, line: Line) -> Iterator[Played]:
    """The move with every answer that accounts for the rest; alone, if the answer came before its dues were done."""
    sight, rest = case.sight, case.new - changed_cells(line.move)
    unlike = {cell for cell, _, after in line.move.act if not sight.agrees(cell, after)}
    undone = {cell for cell, _, after in line.move.dues if not sight.agrees(cell, after)}
    if not rest:
        return
    for answer in _answers(case.record.position, line):
        turned = {cell for cell, _, after in answer.move.changes if sight.agrees(cell, after)}
        cells = changed_cells(answer.move)
        if rest <= cells and unlike <= turned and _acted(case, answer.move, rest):
            if undone <= cells:
                yield Played([line, answer])
            elif not _in_air(case, rest, case.record.pieces):
                yield Played([line])


def _answers(position: Position, line: Line) -> Sequence[Line]:
    """What can be played next; nothing where the board has to be laid anew first."""
    for _ in range(line.passes):
        position = position.play(position.moves()[0])
    after = position.play(line.move)
    return () if after.relaid else lines_from(after)


def _taken_back(case: Case) -> Explanation | None:
    """The last plies taken back, and perhaps another move made instead."""
    if case.sight.sensors == "presses":
        return None  # a press of a piece is always a move: there it has to be said
    pieces, turns = dict(case.record.pieces), set[Cell]()
    plies, after = 0, case.record.position
    for ply in reversed(case.record.plies):
        if after.relaid:
            return None
        after = ply.before
        unlay(pieces, ply.move)
        if not ply.move.act:
            continue
        if not _gone(case.sight, ply.move):
            return None
        plies += 1
        turns |= {change.cell for change in ply.move.dues}
        left = {
            cell for cell in case.sight.differing(pieces) if cell not in turns or _lifted_since(case, cell)
        }
        if not left:
            return _away(case, plies)
        instead = _instead(case, plies, frozenset(left), pieces)
        if instead is not None:
            return instead
    return None


def _lifted_since(case: Case, cell: Cell) -> bool:
    """Whether a piece is away that nobody was owed to turn."""
    return case.sight.lies[cell] is None and cell not in case.owed


def _gone(sight: Sight, move: Move) -> bool:
    """Whether the piece of a move is no more where its act ended, and a hand did that."""
    return all(
        sight.agrees(cell, before) and cell in sight.touched and (sight.unmoved(cell) or not _in_place(move))
        for cell, before, after in move.act
        if after is not None
    )


def _in_place(move: Move) -> bool:
    """Whether a move turns one piece over where it lies."""
    return len(move.act) == 1 and None not in move.act[0]


def _away(case: Case, plies: int) -> TakenBack:
    acts = {
        cell for ply in _last_moves(case.record, plies) for cell, before, _ in ply.move.act if before is None
    }
    return TakenBack(plies, _since(case, plies), plain=case.new <= acts)


def _since(case: Case, plies: int) -> float:
    """When the last of the cells of these plies became empty (seconds)."""
    acts = [cell for ply in _last_moves(case.record, plies) for cell, _, _ in ply.move.act]
    return max((case.sight.empty_since.get(cell, 0.0) for cell in acts), default=0.0)


def _last_moves(record: Record, plies: int) -> list[Ply]:
    return [ply for ply in record.plies if ply.move.act][-plies:]


def _instead(
    case: Case, plies: int, left: frozenset[Cell], pieces: Mapping[Cell, Piece]
) -> Explanation | None:
    """Another move made in the place of the first of these plies."""
    position = _last_moves(case.record, plies)[0].before
    whole = [fit for fit in _fits(case, lines_from(position), left) if not fit.rest]
    emptied = {cell for fit in whole for cell, _, after in fit.line.move.act if after is None}
    if whole and _in_air(case, left - emptied, pieces):
        return Disorder(held=case.new)
    answers = any(not fit.rest for fit in _fits(case, case.record.lines, case.new))
    since = _since(case, plies) if answers else None
    return _one_of(Played([fit.line], plies, since) for fit in whole)


def _begun(case: Case) -> Disorder | None:
    """A legal move may have begun so: nothing is wrong yet."""
    moves = [line.move for line in case.record.lines if line.move.label not in case.barred]
    if not case.owed and any(_on_the_way(case.sight, move, case.new) for move in moves):
        return Disorder(held=case.new)
    return None


def _on_the_way(sight: Sight, move: Move, new: frozenset[Cell]) -> bool:
    changes = {change.cell: change for change in move.changes}
    arrived = any(cell in changes and sight.lies[cell] is not None for cell in new)
    if arrived and any(after is None and sight.lies[cell] is not None for cell, _, after in move.act):
        return False  # what came is another piece: the one that was to go is still there
    return all(
        cell in changes
        and (
            sight.agrees(cell, changes[cell].after)
            or (sight.lies[cell] is None and changes[cell].before is not None)
        )
        for cell in new
    )


def _left_alone(case: Case, fits: Sequence[Fit]) -> TakenBack | None:
    """The piece placed last is away, and no other that the judge knows; what else there is does not need it."""
    last = case.record.last
    if last is None or not _gone(case.sight, last.move):
        return None
    acts = {change.cell for change in last.move.act}
    if any(change.before is not None for change in last.move.act):
        return None  # it came from a cell: on it, or nowhere, it is not taken back
    others = case.new - acts
    if _in_air(case, others, case.record.pieces):
        return None
    early = _acts(fits) if case.owed else frozenset[Cell]()
    return TakenBack(1, _since(case, 1), plain=True, early=early)


def _beside_a_hand(case: Case, fits: Sequence[Fit]) -> Disorder | None:
    """Moves while one piece is in somebody's hand: they count when that one is back."""
    away = {cell for cell in case.new if case.sight.lies[cell] is None and cell in case.record.pieces}
    told = {cell for fit in fits for cell in changed_cells(fit.line.move)}
    if len(away) == 1 and fits and case.new - away <= told and not case.owed:
        return Disorder(held=case.new)
    return None


def _with_faults(case: Case, fits: Sequence[Fit]) -> Explanation | None:
    """One move, and something else that no rule allows."""
    if fits and case.owed:
        return _early(case, fits)
    return _one_of(Played([fit.line]) for fit in fits)


def _one_too_many(case: Case, fits: Sequence[Fit]) -> Explanation | None:
    """Several pieces left, and one arrived that each of them may be; whoever held another has kept it."""
    left = {change.cell for fit in fits for change in fit.line.move.act if change.after is None}
    kept = {cell for fit in fits for cell in fit.rest}
    return _one_of(Played([fit.line]) for fit in fits) if kept <= left <= case.missing else None


def agreeing_start(sight: Sight, starts: Sequence[Position]) -> Position:
    """The start that fewest of the pieces on the board contradict; the first of those."""
    return min(starts, key=lambda start: _contradictions(sight, start.pieces))


def _contradictions(sight: Sight, pieces: Mapping[Cell, Piece]) -> int:
    return sum(sight.lies[cell] is not None for cell in sight.differing(pieces))
