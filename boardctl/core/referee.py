"""Keeps the record: takes the explanations of the board, plays and takes back, and tells what is owed and wrong.

Two situations only: something is owed, or a move is awaited. What the three policies (interface, section 4)
do differently is asked here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from boardctl.core import guide, judge
from boardctl.core.commands import (
    Asked,
    Begun,
    Command,
    Completed,
    Debt,
    Ended,
    Light,
    Lit,
    Moved,
    Offered,
    Owed,
    Passed,
    Stood,
    Touched,
    Turn,
    Undone,
    Why,
    Wrong,
)
from boardctl.core.model import PASS, Cell, Game, Move, Piece, Player, Position
from boardctl.core.reconcile import (
    Case,
    Disorder,
    Explanation,
    InOrder,
    Played,
    Several,
    TakenBack,
    agreeing_start,
    changed_cells,
    explain,
)
from boardctl.core.record import Line, Ply, Record
from boardctl.core.sentences import Sentences
from boardctl.core.sight import ANY, Sight

Policy = Literal["teach", "club", "tournament"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table is judged: the policy, and how long a piece placed last may be away (seconds)."""

    policy: Policy = "teach"
    take_back: float = 2.0


class Referee:
    """One game on one board. Everything it says is added to `out`, in order."""

    def __init__(self, game: Game, sight: Sight, manner: Manner) -> None:
        self.game = game
        self.sight = sight
        self.manner = manner
        self.sentences = Sentences(game)
        self.out: list[Command] = []
        self.record = Record(game.starts[0])
        self.practice = game.practice
        """Unscored plies to be played before the board is set up again; 0 once the scored game has begun."""
        self.why: Why = "repair"
        self.due: set[Cell] = set()
        """Cells that differ because the record went on before the hands: nobody's mistake."""
        self.unsure: dict[Cell, Piece | None] = {}
        """Cells whose change no sensor can see, and what should lie there: to be confirmed."""
        self.late: set[Cell] = set()
        self.held: frozenset[Cell] = frozenset()
        self.early: frozenset[Cell] = frozenset()
        self.rolled: set[Cell] = set()
        self.barred: set[str] = set()
        self.kept = False
        """Whether the players said that the piece taken away was not meant to be taken back."""
        self.incomplete: dict[int, frozenset[Cell]] = {}
        """Plies with something still owed, and their cells."""
        self.question: dict[str, Explanation] = {}
        self.offer: Offered | None = None
        self.ended: Ended | None = None
        self.told_owed = Owed("repair", {})
        self.told_wrong = Wrong({}, "")
        self.told_turn: Turn | None = None
        self.told_lights = Lit({})
        self._touch: Touched | None = None
        self.judge_at: float | None = None
        """When the board has to be judged again although nothing moved (seconds)."""

    # What is on the board

    @property
    def setting_up(self) -> bool:
        """Whether the start is being laid."""
        return self.why == "set-up" and bool(self.due)

    @property
    def turning(self) -> frozenset[Cell]:
        """Cells that are owed a turn: their pieces may be in the air."""
        told = {cell for cell, owed in self.told_owed.cells.items() if owed.do == "turn"}
        return frozenset(told | (self.due & self.last_dues)) | (
            self.due if self.why == "undo" else frozenset()
        )

    @property
    def last_dues(self) -> frozenset[Cell]:
        """Cells that the last ply turns."""
        last = self.record.last
        return frozenset(change.cell for change in last.move.dues) if last is not None else frozenset()

    def lay_start(self, why: Why) -> None:
        """From now on the start has to lie on the board."""
        self.record = Record(agreeing_start(self.sight, self.game.starts))
        for each in (self.unsure, self.late, self.rolled, self.barred, self.incomplete, self.question):
            each.clear()
        self.due = self.sight.differing(self.record.pieces)
        self.held = self.early = frozenset()
        self.ended, self.offer, self.told_turn, self.kept = None, None, None, False
        self.why = why

    # Judging

    def judge(self, now: float) -> None:
        """Bring the record up to the board as it lies, then tell what has changed."""
        self.judge_at = None
        self.held = self.early = frozenset()
        self._keep_due()
        if self.setting_up:
            self._look_at_start()
        elif self.ended is not None or self.record.position.outcome is not None:
            self._look_after_end(now)
        else:
            while self._accept(explain(self._case()), now):
                self._keep_due()
        self.tell(now)

    def _case(self) -> Case:
        return Case(
            self.sight, self.record, frozenset(self.due), frozenset(self.barred), frozenset(self.rolled)
        )

    def _keep_due(self) -> None:
        differing = self.sight.differing(self.record.pieces)
        self.due &= differing
        self.late &= differing

    def _look_at_start(self) -> None:
        start = agreeing_start(self.sight, self.game.starts)
        if start is not self.record.start:
            self.record = Record(start)
        differing = self.sight.differing(self.record.pieces)
        self.due = {cell for cell in differing if cell in self.record.pieces or cell in self.due}

    def _look_after_end(self, now: float) -> None:
        start = agreeing_start(self.sight, self.game.starts)
        if self.record.plies and not self.sight.differing(start.pieces) and self._lies_untouched(start):
            self.new_game()
            return
        explanation = explain(self._case())
        if isinstance(explanation, TakenBack | InOrder):
            while self._accept(explanation, now):
                self._keep_due()
                explanation = explain(self._case())

    def _lies_untouched(self, start: Position) -> bool:
        return self.sight.differing(self.record.pieces) != set() and bool(start.pieces)

    def new_game(self) -> None:
        """Close the record and begin again from the start."""
        if self.ended is None:
            self._end_if_over()
        self.out.append(Begun(self.game.name))
        self.practice = self.game.practice
        self.lay_start("set-up")

    def _accept(self, explanation: Explanation, now: float) -> bool:
        """Act on an explanation. Answers whether the board has to be looked at again."""
        if not isinstance(explanation, Several):
            self._close_question()
        match explanation:
            case InOrder():
                self._in_order()
                return False
            case Played(undone=0):
                self._play(explanation.lines)
                return True
            case Played():
                return self._changed_mind(explanation)
            case TakenBack():
                return self._taken_back(explanation, now)
            case Several():
                return self._several(explanation.choices)
            case Disorder():
                return self._disorder(explanation)

    def _in_order(self) -> None:
        if self.due or self.unsure:
            return
        self.sight.settle(self.record.pieces)
        self.barred.clear()
        self.rolled.clear()
        self.kept = False
        self._touch = None

    def _disorder(self, disorder: Disorder) -> bool:
        if self.due and self.manner.policy == "tournament" and self._stand():
            return True
        self.early, self.held = disorder.early, disorder.held
        return False

    def _several(self, choices: Mapping[str, Explanation]) -> bool:
        in_air = {
            cell
            for cell in self.sight.differing(self.record.pieces) - self.due
            if self.sight.lies[cell] is None
        }
        if in_air & self.record.pieces.keys():
            self.held = frozenset(in_air)
            return False
        if list(self.question) != sorted(choices):
            self.question = {name: choices[name] for name in sorted(choices)}
            self.told_turn = None
            self.out.append(Asked(tuple(self.question)))
        self.held = frozenset(self.sight.differing(self.record.pieces) - self.due)
        return False

    def _close_question(self) -> None:
        self.question = {}

    def answer(self, name: str, now: float) -> None:
        """One of the answers of the open question was given."""
        explanation = self.question[name]
        self._close_question()
        match explanation:
            case InOrder():
                self.sight.settle(self.record.pieces)
            case Disorder():
                self.kept = True
            case TakenBack():
                self.take_back_by_hand(explanation.plies)
            case Played():
                self.take_back_by_hand(explanation.undone)
                self._play(explanation.lines)
            case Several():
                raise AssertionError("a question is never the answer to one")
        self.judge(now)

    # Playing

    def _play(self, lines: Sequence[Line]) -> None:
        for line in lines:
            for _ in range(line.passes):
                self.make_pass(bound=True)
            self._move(line.move)
        for line in lines:
            for cell, _, _ in line.move.act:
                if self.sight.touched.get(cell):
                    self.sight.touched[cell] = 0

    def name(self, line: Line) -> None:
        """A player named a move: it is made, and all its changes are owed."""
        for _ in range(line.passes):
            self.make_pass(bound=True)
        self._move(line.move)
        for cell, _, after in line.move.act:
            if cell in self.sight.wild:
                self.unsure[cell] = after

    def _move(self, move: Move) -> None:
        self._end_claims()
        ply = self.record.play(move)
        self.why = "move"
        cells = {cell: (before, after) for cell, before, after in sorted(move.changes)}
        practice = True if self.practice else None
        self.out.append(Moved(ply.number, ply.player, move.label, cells, practice))
        self.incomplete[ply.number] = changed_cells(move)
        self.late |= {cell for cell in self.due if cell not in cells}
        for cell, _, after in move.act:
            if cell in self.sight.wild:
                self.sight.believe(cell, after)
        self._owe(cells)

    def _end_claims(self) -> None:
        """What no sensor can see holds up nothing: with the next move it is taken as done."""
        self.confirm()
        self._complete()

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
            elif sight.lies[cell] != want and sight.lies[cell] != ANY:
                sight.spend(cell, want)
            else:
                sight.believe(cell, want)

    def confirm(self) -> None:
        """The players say that what no sensor can see has been done."""
        for cell, piece in self.unsure.items():
            self.sight.believe(cell, piece)
        self.unsure.clear()

    def make_pass(self, bound: bool) -> None:
        """The player to move misses the turn; `bound`: nobody said so."""
        ply = self.record.play(Move(PASS), bound)
        self.out.append(Passed(ply.number, ply.player))

    def _stand(self) -> bool:
        """Under `tournament` the next disc ends the claim: the board stands as it lies, if that makes it a move."""
        standing = self._standing()
        if not standing:
            return False
        trial = Record(self.record.position.standing(standing))
        found = explain(self._case()._replace(record=trial, owed=frozenset()))
        if not isinstance(found, Played):
            return False
        self.out.append(Stood(len(self.record.plies), standing))
        self.record.stand(standing)
        self.incomplete.clear()
        self.due.clear()
        return True

    def _standing(self) -> dict[Cell, Piece]:
        cells = {cell for cell, owed in self.told_owed.cells.items() if owed.do == "turn"} | self.due
        lying = {
            cell: self.sight.piece_on(cell)
            for cell in sorted(cells & self.sight.differing(self.record.pieces))
        }
        return {
            cell: piece for cell, piece in lying.items() if piece is not None and cell in self.record.pieces
        }

    # Taking back

    def _taken_back(self, taken: TakenBack, now: float) -> bool:
        if self.manner.policy == "tournament" or self.practice or self.kept:
            return False
        due_at = taken.since + self.manner.take_back
        if taken.plain and now < due_at:
            self.judge_at = due_at
            self.held = frozenset(self.sight.differing(self.record.pieces) - self.due)
            return False
        if self.manner.policy == "club":
            return self._several({"keep": Disorder(), "undo": replace(taken, plain=False)})
        self.take_back_by_hand(taken.plies)
        return True

    def _changed_mind(self, played: Played) -> bool:
        if self.manner.policy == "tournament" and not self.practice:
            return self._touched(played)
        if self.practice or self.kept:
            return False
        if self.manner.policy == "club" and self._first_flip_done():
            return self._several({"keep": Disorder(), "undo": played})
        self.take_back_by_hand(played.undone)
        self._play(played.lines)
        return True

    def _first_flip_done(self) -> bool:
        last = self.record.last
        return last is not None and any(change.cell not in self.due for change in last.move.dues)

    def _touched(self, played: Played) -> bool:
        last = self.record.last
        if last is not None and played.undone == 1:
            touch = Touched(played.lines[0].move.act[-1].cell, last.move.act[-1].cell)
            if touch != self._touch:
                self._touch = touch
                self.out.append(touch)
        return False

    def take_back_by_hand(self, plies: int) -> None:
        """Take back so many plies that are no passes, and the passes between them."""
        undone: list[Ply] = []
        while plies:
            undone.append(self._undo_one())
            plies -= bool(undone[-1].move.act)
        self._undone(undone)

    def take_back_by_word(self) -> None:
        """Take back one ply; a pass nobody named goes with the ply beside it."""
        undone = [self._undo_one()]
        while not undone[-1].move.act and undone[-1].bound and self.record.plies:
            undone.append(self._undo_one())
        self.barred |= {ply.move.label for ply in undone}
        self._undone(undone)

    def _undo_one(self) -> Ply:
        ply = self.record.undo()
        self.incomplete.pop(ply.number, None)
        self.out.append(Undone(ply.number, ply.move.label))
        return ply

    def _undone(self, undone: list[Ply]) -> None:
        if not self.game.pass_automatic:
            while self.record.plies and self.record.plies[-1].bound:
                undone.append(self._undo_one())
        if not undone:
            return
        self.why = "undo"
        self.ended = None
        self.unsure.clear()
        self._close_question()
        self._owe({cell for ply in undone for cell in changed_cells(ply.move)})

    # Telling

    def noticed(self, cell: Cell, now: float) -> None:
        """A reading of this cell counts: a debt that is paid goes dark at once."""
        self.rolled.discard(cell)
        want = self.record.pieces.get(cell)
        if cell in self.due and self.sight.agrees(cell, want) and self.sight.lies[cell] != ANY:
            self.sight.spend(cell, want)
        if (cell in self.told_owed.cells or cell in self.told_wrong.cells) and self.sight.agrees(cell, want):
            self.due.discard(cell)
            self.late.discard(cell)
            self._tell_owed(
                {c: owed for c, owed in self.told_owed.cells.items() if c != cell or owed.do == "confirm"}
            )
            self._tell_wrong({c: reason for c, reason in self.told_wrong.cells.items() if c != cell})
            self._go_on(now)

    def tell(self, now: float) -> None:
        """Say whatever has changed: debts, mistakes, completion, whose turn it is, the lights."""
        differing = self.sight.differing(self.record.pieces)
        if self.ended is not None:
            differing = set[Cell]()
        self._give_up_holding(now)
        self._mark_rolled(differing)
        self._tell_owed(self._debts(differing))
        self._tell_wrong(self._mistakes(differing, now))
        self._look_again(differing, now)
        self._go_on(now)

    def _give_up_holding(self, now: float) -> None:
        """A piece in the hand for so long is missing, whatever move may have begun with it."""
        kept = {
            cell
            for cell in self.held
            if self.judge_at is not None
            or self.sight.lies[cell] is not None
            or judge.missing_at(self.sight, cell) > now
        }
        self.held = frozenset(kept)

    def _mark_rolled(self, differing: set[Cell]) -> None:
        """Stray pieces that lie there while others are missing are no moves: they rolled there."""
        pieces = self.record.pieces
        if any(self.sight.lies[cell] is None for cell in differing - self.due - self.held if cell in pieces):
            self.rolled |= {cell for cell in differing if cell not in pieces}

    def _debts(self, differing: set[Cell]) -> dict[Cell, Debt]:
        pieces, turning = self.record.pieces, self.turning
        owing = sorted(differing - self.held - self.early)
        debts = {cell: judge.debt(self.game, self.sight, cell, pieces.get(cell), turning) for cell in owing}
        sure = {
            cell: Debt("confirm", piece) for cell, piece in self.unsure.items() if cell in self.sight.wild
        }
        return dict(sorted((debts | sure).items())) if sure else debts

    def _mistakes(self, differing: set[Cell], now: float) -> dict[Cell, str]:
        silent = self.early if self.manner.policy == "club" else frozenset()
        ground = judge.Ground(
            None if self.setting_up else self.record.position,
            frozenset() if self.setting_up else self.turning,
            self._claimed(),
            self.early,
            self.late,
        )
        return judge.mistakes(self.sight, self.record.pieces, differing - self.held - silent, ground, now)

    def _claimed(self) -> frozenset[Cell]:
        if not self.setting_up:
            return self.last_dues | self.due
        return frozenset(
            cell for cell in self.due if self.sight.lies[cell] is None or cell not in self.record.pieces
        )

    def _look_again(self, differing: set[Cell], now: float) -> None:
        if self.setting_up:
            return
        waits = [
            judge.missing_at(self.sight, cell)
            for cell in differing
            if self.sight.lies[cell] is None and judge.missing_at(self.sight, cell) > now
        ]
        if waits:
            self.judge_at = min([*waits, *([] if self.judge_at is None else [self.judge_at])])

    def _tell_owed(self, debts: Mapping[Cell, Debt]) -> None:
        if debts != self.told_owed.cells:
            if not (debts.keys() & self.due) and self.why not in ("set-up", "resume"):
                why: Why = "move" if self.unsure and debts.keys() <= self.unsure.keys() else "repair"
            else:
                why = self.why
            self.told_owed = Owed(why if debts else self.told_owed.why, debts)
            self.out.append(self.told_owed)

    def _tell_wrong(self, reasons: Mapping[Cell, str]) -> None:
        if reasons != self.told_wrong.cells:
            say = self.sentences.wrong(reasons, self._judged_player(), self.record.pieces)
            self.told_wrong = Wrong(reasons, say)
            self.out.append(self.told_wrong)

    def _judged_player(self) -> Player:
        """Whose move a stray piece is judged as."""
        position = self.record.position
        return position.play(Move(PASS)).player if self.record.must_pass else position.player

    @property
    def waiting(self) -> bool:
        """Whether nothing is owed, so that a move is awaited (what only waits to be confirmed holds up nothing)."""
        return not self.told_wrong.cells and all(
            owed.do == "confirm" for owed in self.told_owed.cells.values()
        )

    def _go_on(self, now: float) -> None:
        """Nothing is owed any more: the move is complete, and it is somebody's turn."""
        self._complete()
        if not self.waiting:
            self.told_turn = None
        elif self.ended is None and not self.question:
            self._await_move(now)
        self._tell_lights()

    def _complete(self) -> None:
        for number, cells in list(self.incomplete.items()):
            if not cells & (self.due | self.unsure.keys()):
                del self.incomplete[number]
                self.out.append(Completed(number))

    def _await_move(self, now: float) -> None:
        if self.practice and len(self.record.plies) >= self.practice and not self.incomplete:
            self.practice = 0
            self.lay_start("set-up")
            self.tell(now)
            return
        while self.record.must_pass and self.game.pass_automatic:
            self.make_pass(bound=True)
        if not self._end_if_over():
            self._tell_turn()

    def _end_if_over(self) -> bool:
        outcome = self.record.position.outcome
        if outcome is None:
            return False
        if self.practice:
            self.practice = len(self.record.plies)
            return True
        self.end(Ended(outcome.winner, outcome.because, outcome.score))
        return True

    def end(self, ended: Ended) -> None:
        """The game is over."""
        self.ended, self.offer, self.told_turn = ended, None, None
        self._close_question()
        self.out.append(ended)

    def _tell_turn(self) -> None:
        position = self.record.position
        number = self.record.next_number
        if self.told_turn is not None and (self.told_turn.ply, self.told_turn.player) == (
            number,
            position.player,
        ):
            return
        moves = sorted(move.label for move in position.moves())
        self.told_turn = Turn(number, position.player, moves, None, position.supply or None)
        self.out.append(self.told_turn)

    def _tell_lights(self) -> None:
        lit = Lit(self._lights())
        if lit != self.told_lights:
            self.told_lights = lit
            self.out.append(lit)

    def _lights(self) -> dict[Cell, Light]:
        last = self.record.last
        return guide.lights(
            owed=guide.owed_lights(self.game, self.told_owed.cells, last.move.act[-1].cell if last else None),
            wrong=self.told_wrong.cells,
            choice=self._choices(),
            mark=guide.marks(self.sight, self.record.position.marks),
            hint=self._hints(),
            last=[change.cell for change in last.move.act if change.after is not None] if last else (),
        )

    def _choices(self) -> set[Cell]:
        """The cells that tell the answers of the open question apart."""
        cells: set[Cell] = set()
        for explanation in self.question.values():
            if isinstance(explanation, Played):
                cells |= {change.cell for change in explanation.lines[0].move.act}
            elif isinstance(explanation, TakenBack) and self.record.last is not None:
                cells |= {change.cell for change in self.record.last.move.act}
        return cells

    def _hints(self) -> frozenset[Cell]:
        if self.manner.policy != "teach" or self.told_turn is None or self.ended is not None:
            return frozenset()
        return guide.hints(self.sight, [line.move for line in self.record.lines], self.held)
