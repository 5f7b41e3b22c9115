"""The state of one game at one board: the record, the board as it lies, and what is due between the two.

Every change of the record goes through here, is announced in `out`, and leaves `due` true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from boardctl.core.commands import (
    Begun,
    Called,
    Command,
    Completed,
    Ended,
    Moved,
    Offered,
    Owed,
    Passed,
    RoundEnded,
    Scored,
    Stood,
    Turn,
    Undone,
    Why,
    Wrong,
)
from boardctl.core.model import PASS, Call, Cell, Change, Game, Move, News, Piece, Point, Position
from boardctl.core.reconcile import Case, agreeing_start, changed_cells
from boardctl.core.record import Line, Ply, Record
from boardctl.core.sight import ANY, Sight

Past: TypeAlias = Moved | Passed | Called | Undone | Stood | Begun
"""The commands that make a record."""


class NoSuchPast(ValueError):
    """A journal tells of a game that these rules do not allow."""


class Table:
    """One game on one board. Everything said is added to `out`, in order."""

    def __init__(self, game: Game, sight: Sight) -> None:
        self.game = game
        self.sight = sight
        self.out: list[Command] = []
        self.record = Record(game.starts[0])
        self.practice = game.practice
        """Unscored plies to be played before the board is set up again; 0 once the scored game has begun."""
        self.why: Why = "repair"
        """Why the cells in `due` are owed."""
        self.due: set[Cell] = set()
        """Cells that differ because the record went on before the hands: nobody's mistake."""
        self.unsure: dict[Cell, Piece | None] = {}
        """Cells whose change no sensor can see, and what should lie there: to be confirmed."""
        self.turned_back: frozenset[Cell] = frozenset()
        """Cells whose piece was turned over by a ply that is taken back."""
        self.paid: set[Cell] = set()
        """Cells put right since the board was last in order: what is undone there again is due again."""
        self.assumed: set[Cell] = set()
        """Cells whose change no sensor saw before the next move was made."""
        self.inherited: set[Cell] = set()
        """Cells with a piece left from what lay there before the start had to be laid: nobody's mistake."""
        self.late: set[Cell] = set()
        """Cells whose turn was still owed when the next move was made."""
        self.held: frozenset[Cell] = frozenset()
        """Cells where a move may have begun: nothing is owed there yet."""
        self.early: frozenset[Cell] = frozenset()
        """Cells of a move that waits until what is owed is done."""
        self.bare: set[Cell] = set()
        """Cells whose piece was away already when the game was left: it is not in the air."""
        self.rolled: set[Cell] = set()
        """Cells of stray pieces that came when the board was upset: no move until they are touched."""
        self.barred: set[str] = set()
        """Labels of moves taken back by word: no hypothesis until another is made or the board was in order."""
        self.incomplete: dict[int, frozenset[Cell]] = {}
        """Plies with something still owed, and their cells."""
        self.offer: Offered | None = None
        self.ended: Ended | None = None
        self.asked: tuple[str, ...] = ()
        """The choices of the question asked last, while it stands."""
        self.told_owed = Owed("repair", {})
        self.told_wrong = Wrong({}, "")
        self.told_turn: Turn | None = None
        """The turn last announced; None where it has to be announced again."""
        self.strange: frozenset[Cell] = frozenset()
        """Cells with another piece of the right kind, put there by something that is no move."""
        self.judged_on: Position | None = None
        """The board as it would stand, where a stray piece is judged on that; else None."""
        self._looked_at: Record | None = None
        self._odd: set[Cell] = set()
        self._differing: frozenset[Cell] = frozenset()

    @property
    def starts(self) -> Sequence[Position]:
        """The positions that may be laid now: those of the game, or of the round that begins."""
        return [self.record.position] if self.record.plies else self.game.starts

    @property
    def dictated_cells(self) -> frozenset[Cell]:
        """The cells of a move that nobody chooses, if one is awaited: they lie as the record says until it is made."""
        if not self.record.position.dictated:
            return frozenset()
        return frozenset(change.cell for move in self.record.moves for change in move.act)

    @property
    def setting_up(self) -> bool:
        """Whether the start is being laid."""
        return self.why == "set-up" and bool(self.due)

    @property
    def turning(self) -> frozenset[Cell]:
        """Cells that are owed a turn: their pieces may be in the air."""
        told = {cell for cell, owed in self.told_owed.cells.items() if owed.do == "turn"}
        back = self.turned_back if self.why == "undo" else frozenset()
        return frozenset(told | (self.due & self.last_dues) | (self.due & back)) - self.bare

    @property
    def last_dues(self) -> frozenset[Cell]:
        """Cells that the last ply turns."""
        last = self.record.last
        return frozenset(change.cell for change in last.move.dues) if last is not None else frozenset()

    def differing(self) -> frozenset[Cell]:
        """Cells that do not lie as the record says. Only what has changed since the last look is looked at."""
        if self._looked_at is not self.record:
            self._looked_at = self.record
            self.sight.changed |= self.game.points.keys()
        changed = self.sight.changed | self.record.changed
        if changed:
            lies, get, agrees = self.sight.lies, self.record.pieces.get, self.sight.agrees
            self._odd = {cell for cell in self._odd | changed if lies[cell] != get(cell)}
            self._differing = frozenset(cell for cell in self._odd if not agrees(cell, get(cell)))
            self.sight.changed.clear()
            self.record.changed.clear()
        return self._differing | self.strange

    def case(self, missing: frozenset[Cell] = frozenset()) -> Case:
        """The board as the reconciler looks at it, with what is due brought up to date; `missing` as there."""
        differing = self.differing()
        seen = self.unsure.keys() - self.sight.wild
        self.bare &= differing
        self.due = (self.due | self._turned_again() | seen) & differing
        self.late = (self.late | self.assumed) & differing
        for cell in seen:
            del self.unsure[cell]
        owed = frozenset(self.due - self._taken_up())
        barred, rolled = frozenset(self.barred), frozenset(self.rolled)
        undoing = self.why == "undo"
        return Case(self.sight, self.record, differing - owed, owed, undoing, barred, rolled, missing)

    def _turned_again(self) -> set[Cell]:
        """Cells of the last ply that were put right and do not lie right any more."""
        return {cell for cell in self.paid & self.last_dues if self.sight.lies[cell] is not None}

    def _taken_up(self) -> set[Cell]:
        """Cells of the piece placed last, where a hand took it away again and nothing is being undone."""
        last = self.record.last if self.why != "undo" else None
        acts = {change.cell for change in last.move.act} if last is not None else set[Cell]()
        return {cell for cell in acts & self.sight.touched.keys() if self.sight.lies[cell] is None}

    def noticed(self, cell: Cell) -> bool:
        """A reading of this cell counts. Answers whether it lies there as it should."""
        self.rolled.discard(cell)
        self.inherited.discard(cell)
        want = self.record.pieces.get(cell)
        if not self.sight.agrees(cell, want):
            return False
        if cell in self.due:
            self.sight.spend(cell, want)
            self.due.discard(cell)
            self.paid.add(cell)
        self.late.discard(cell)
        return True

    # The start

    def lay_start(self, why: Why) -> None:
        """From now on the start has to lie on the board."""
        self.record = Record(agreeing_start(self.sight, self.game.starts))
        self._lay_out(why)
        self._went_on()

    def _lay_out(self, why: Why) -> None:
        """All that does not lie as the record says is due, and nobody's mistake."""
        self._forget()
        self.held = self.early = self.strange = frozenset()
        self.due = set(self.differing())
        self.inherited = {cell for cell in self.due if self.sight.lies[cell] is not None}
        self.ended = None
        self.why = why

    def _forget(self) -> None:
        for each in (self.paid, self.assumed, self.late, self.rolled, self.barred):
            each.clear()
        self.unsure.clear()
        self.incomplete.clear()
        self.offer = None

    def new_game(self) -> None:
        """Close the record and begin again from the start."""
        self.out.append(Begun(self.game.name))
        self.practice = self.game.practice
        self.lay_start("set-up")

    def laid(self) -> None:
        """The board is being laid: what hands did on cells that lie right counts for nothing that comes."""
        self.sight.accept_displaced()
        if not self.due:
            right = [cell for cell in self.sight.touched if cell not in self.differing()]
            self.sight.forget(right, self.record.pieces)

    def resume(self, past: Sequence[Past], owed: Owed | None) -> dict[Cell, Piece | None]:
        """Make the record again from what was told. Answers what lies on the board as far as is known.

        Raises `NoSuchPast` where the rules do not allow it from any start.
        """
        scored = [told for told in past if not _practised(told)]
        setting_up = owed is not None and owed.why == "set-up"
        if len(scored) < len(past) and (setting_up or scored):
            self.practice = 0
        self.record = self._replayed(past if self.practice else scored)
        if setting_up and owed is not None and owed.cells:
            if not self.record.plies:
                self.lay_start("set-up")
                return dict.fromkeys(self.game.points)
            lying = self._lying(owed)
            self.why, self.inherited = "set-up", {cell for cell in self.due if lying[cell] is not None}
            return lying
        return self._lying(owed)

    def _replayed(self, past: Sequence[Past]) -> Record:
        for start in self.game.starts:
            record = _replayed_from(start, past)
            if record is not None:
                return record
        raise NoSuchPast(f"{len(past)} entries are no game of {self.game.name} with these options")

    def _lying(self, owed: Owed | None) -> dict[Cell, Piece | None]:
        """The board as the record and the last debts say that it lies."""
        lying: dict[Cell, Piece | None] = dict(self.record.pieces)
        self.why = "resume"
        dictated = self.dictated_cells
        debts = owed.cells.items() if owed is not None else ()
        for cell, debt in ((cell, debt) for cell, debt in debts if cell not in dictated):
            if debt.do == "confirm":
                self.unsure[cell] = debt.to
            elif debt.do == "turn" and debt.to is not None:
                lying[cell] = self._before_turning(debt.to)
            else:
                lying[cell] = ANY if debt.do == "take" else None
            self.bare |= {cell} if debt.do == "put" else set()
            self.due |= {cell} if debt.do != "confirm" else set()
        return lying

    def _before_turning(self, piece: Piece) -> Piece:
        """What shows where this piece is owed a turn."""
        sides = (other for other in self.game.faces if self.game.turned(other) == piece)
        return self.game.turned(piece) or next(sides, ANY)

    def in_order(self) -> None:
        """The board rests as the record says: what hands did before is forgotten."""
        self.sight.settle(self.record.pieces)
        for each in (self.barred, self.rolled, self.paid):
            each.clear()
        self.asked = ()
        if not self.unsure:
            self.why = "repair"

    # Playing

    def play(self, lines: Iterable[Line]) -> None:
        """These moves were seen to be made, one after the other."""
        for line in lines:
            self._move(line)
        for line in lines:
            for cell, _, _ in line.move.act:
                if self.sight.touched.get(cell):
                    self.sight.touched[cell] = 0  # being placed is not being touched

    def name(self, line: Line) -> None:
        """A player named a move: it is made, and all its changes are owed."""
        unseen = {cell: after for cell, _, after in line.move.act if cell in self.sight.wild}
        for cell, after in self._begun(line.move):
            self.sight.believe(cell, after)
        self._move(line)
        self.unsure |= unseen

    def _begun(self, move: Move) -> list[tuple[Cell, Piece | None]]:
        """Where hands have begun a move that sensors of presence cannot see the rest of: that rest."""
        away = [cell for cell, _, after in move.act if after is None and self.sight.lies[cell] is None]
        if self.sight.sensors != "presence" or not away:
            return []
        return [(cell, after) for cell, before, after in move.act if None not in (before, after)]

    def call(self, call: Call) -> None:
        """A player calls."""
        self.record.call(call)
        self._went_on()
        self.out.append(Called(call.player, call.call, call.cells))

    def _move(self, line: Line) -> None:
        for _ in range(line.passes):
            self.make_pass(bound=True)
        self.assumed = {cell for cell in self.unsure if self.sight.lies[cell] != self.unsure[cell]}
        self.confirm()  # what no sensor can see never holds up the next move
        self.complete()
        self.barred.clear()
        ply = self.record.play(line.move)
        self._went_on()
        cells = {cell: (before, after) for cell, before, after in sorted(ply.move.changes)}
        self.out.append(Moved(ply.number, ply.player, ply.move.label, cells, bool(self.practice) or None))
        self.out += [_reported(news) for news in self.record.position.news]
        if self.record.position.relaid:
            self.sight.forget_touches()
            self._lay_out("set-up")
            self.out.append(Completed(ply.number))
            return
        self.incomplete[ply.number] = changed_cells(ply.move)
        if self.why == "move":
            self.late |= self.due - cells.keys()
        self.why = "move"
        for cell, _, after in ply.move.act:
            if cell in self.sight.wild:
                self.sight.believe(cell, after)
        self._owe(cells)

    def _went_on(self) -> None:
        """The record is another one: what waited for an answer to the old one waits no more."""
        self.told_turn, self.asked = None, ()
        self.paid.clear()
        if self.offer is not None and self.offer.what == "undo":
            self.offer = None

    def _owe(self, cells: Iterable[Cell]) -> None:
        """The record says something new of these cells: what does not lie so yet is due."""
        sight = self.sight
        for cell in cells:
            want = self.record.pieces.get(cell)
            if cell in sight.wild:
                if sight.lies[cell] != want:
                    self.unsure[cell] = want
            elif not sight.agrees(cell, want):
                self.due.add(cell)
            elif sight.piece_on(cell) not in (None, want):
                sight.spend(cell, want)
            else:
                sight.believe(cell, want)

    def confirm(self) -> None:
        """What no sensor can see is taken as done."""
        for cell, piece in self.unsure.items():
            self.sight.believe(cell, piece)
        self.unsure.clear()

    def make_pass(self, bound: bool) -> None:
        """The player to move misses the turn; `bound`: nobody said so."""
        ply = self.record.play(Move(PASS), bound)
        self._went_on()
        self.out.append(Passed(ply.number, ply.player, bound or None, bool(self.practice) or None))

    def confirm_laid(self) -> None:
        """The players say that what is due lies as it should, where only they can see it."""
        for cell in self.hidden_dues:
            self.sight.believe(cell, self.record.pieces[cell])
        self.due -= self.hidden_dues

    @property
    def hidden_dues(self) -> set[Cell]:
        """Cells due while the board is laid with a piece of which sensors cannot tell whether it is the right one."""
        if not self.setting_up or self.sight.sensors not in ("presence", "presses"):
            return set()
        return {cell for cell in self.due & self.record.pieces.keys() if self.sight.lies[cell] is not None}

    def stand(self, standing: Mapping[Cell, Piece]) -> None:
        """What was turned wrongly or not at all can no longer be claimed: the board stands as it lies."""
        last = self.record.last
        self.out.append(Stood(0 if last is None else last.number, standing))
        self.record.stand(standing)
        self._went_on()
        self.incomplete.clear()
        self.due.clear()
        self.late.clear()

    def complete(self) -> None:
        """Announce the plies of which nothing is owed any more."""
        for number, cells in list(self.incomplete.items()):
            if not cells & (self.due | self.unsure.keys()):
                del self.incomplete[number]
                self.out.append(Completed(number))

    def end(self, ended: Ended) -> None:
        """The game is over."""
        self._went_on()
        self.offer = None
        self.ended = ended
        self.out.append(ended)

    # Taking back

    def take_back_by_hand(self, plies: int) -> None:
        """Take back so many plies that are no passes, and the passes between them."""
        undone: list[Ply] = []
        while plies:
            undone.append(self._undo_one())
            plies -= bool(undone[-1].move.act)
        self._undone(undone)

    def take_back_by_word(self) -> None:
        """Take back one ply; a pass nobody named goes with the ply beside it. Raises IndexError where there is none."""
        undone = [self._undo_one()]
        while undone[-1].bound and self.record.plies:
            undone.append(self._undo_one())
        self._undone(undone)
        self.barred |= {ply.move.label for ply in undone}

    def _undo_one(self) -> Ply:
        ply = self.record.undo()
        self.incomplete.pop(ply.number, None)
        self.out.append(Undone(ply.number, ply.move.label))
        return ply

    def _undone(self, undone: list[Ply]) -> None:
        """Plies are taken back: what they changed is owed back, or all that was laid anew after them."""
        while not self.game.pass_automatic and self.record.plies and self.record.plies[-1].bound:
            undone.append(self._undo_one())
        self._went_on()
        self.why = "undo"
        self.turned_back = frozenset(c.cell for ply in undone for c in ply.move.changes if self._turns(c))
        self.ended = None
        self.unsure.clear()
        self._owe(list(self.record.changed))

    def _turns(self, change: Change) -> bool:
        """Whether a change turns a piece over where it lies."""
        before, after = change.before, change.after
        if before is None or after is None:
            return False
        return self.game.turned(before) == after or self.game.turned(after) == before


def _same(call: Call, told: Called) -> bool:
    return call.call == told.call and tuple(call.cells) == tuple(told.cells)


def _reported(news: News) -> Command:
    return Scored(news.player, news.shape) if isinstance(news, Point) else RoundEnded(news.player)


def _practised(told: Past) -> bool:
    return isinstance(told, Moved | Passed) and bool(told.practice)


def _replayed_from(start: Position, past: Sequence[Past]) -> Record | None:
    record = Record(start)
    for told in past:
        match told:
            case Moved():
                move = next((move for move in record.position.moves() if move.label == told.move), None)
                if move is None:
                    return None
                record.play(move)
            case Passed():
                record.play(Move(PASS), bool(told.silent))
            case Called():
                called = (call for call in record.position.calls.values() if _same(call, told))
                call = next(called, None)
                if call is None:
                    return None
                record.call(call)
            case Undone():
                record.undo()
            case Stood():
                record.stand(told.cells)
            case Begun():
                record = Record(start)
    return record
