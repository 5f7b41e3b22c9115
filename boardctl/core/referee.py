"""Decides: takes the explanations of the board and lets the record go on, back, or wait.

What the three policies (interface, section 4) do differently is asked here and nowhere else, but for what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from boardctl.core.commands import Asked, Touched
from boardctl.core.judge import missing_at
from boardctl.core.model import Cell, Piece
from boardctl.core.reconcile import (
    Disorder,
    Explanation,
    InOrder,
    Played,
    Several,
    TakenBack,
    agreeing_start,
    explain,
)
from boardctl.core.record import Line, Record
from boardctl.core.table import Table
from boardctl.core.telling import Telling


@dataclass(frozen=True, slots=True)
class Named:
    """A move that was named before all of it was known: it is made, and all its changes are owed."""

    line: Line


Answer: TypeAlias = Explanation | Named
"""What an answer to a question means."""
Policy = Literal["teach", "club", "tournament"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table is judged: the policy, and how long a piece placed last may be away (seconds)."""

    policy: Policy = "teach"
    take_back: float = 2.0


class Referee:
    """The judge of one table."""

    def __init__(self, table: Table, manner: Manner) -> None:
        self.table = table
        self.manner = manner
        self.telling = Telling(table, hints=manner.policy == "teach", early=manner.policy != "club")
        self.question: Mapping[str, Answer] = {}
        """The answers to the open question, sorted by name, and what each would mean."""
        self.led = False
        """Whether an answer or a word led to the open question, and not the board."""
        self._asked_of: Mapping[Cell, object] = {}
        """The cells the open question is about, and how they lay when it was put."""
        self._missing: frozenset[Cell] = frozenset()
        """Cells whose piece has been away for long."""
        self._kept = False
        """Whether the players said that the piece taken away was not meant to be taken back."""
        self._touch: Touched | None = None
        self._touched_before: Touched | None = None
        self._judge_at: float | None = None

    @property
    def judge_at(self) -> float | None:
        """When the board has to be judged again although nothing moved (seconds)."""
        look_at = self.telling.look_at
        if self._judge_at is None or look_at is None:
            return look_at if self._judge_at is None else self._judge_at
        return min(self._judge_at, look_at)

    def judge(self, now: float) -> None:
        """Bring the record up to the board as it lies, then tell what has changed."""
        self._judge_at = None
        self._touch, self._touched_before = None, self._touch
        if not self._still_asked():
            self.question = {}
            while self._look(now):
                pass
        self.telling.tell(self._choices(), now, waiting=self._judge_at is not None)

    def _look(self, now: float) -> bool:
        """Look at the board once. Answers whether it has to be looked at again."""
        table = self.table
        table.held = table.early = table.strange = frozenset()
        table.judged_on = None
        if table.why == "set-up":
            table.laid()
        table.strange = self._strange()
        if table.setting_up:
            return self._look_at_start()
        if table.ended is None and table.record.position.outcome is None:
            self._missing = self._away_for_long(now)
            return self._accept(explain(table.case(self._missing)), now)
        return self._look_after_end(now)

    def _away_for_long(self, now: float) -> frozenset[Cell]:
        sight, pieces = self.table.sight, self.table.record.pieces
        return frozenset(
            cell for cell in sight.empty_since if cell in pieces and missing_at(sight, cell) <= now
        )

    def _strange(self) -> frozenset[Cell]:
        """Cells with another piece of the right kind, where the rules have a reason against how it came there."""
        table = self.table
        displaced = table.sight.displaced - table.sight.wild
        if not displaced:
            return frozenset()
        lying = {cell: table.sight.may_be(cell) for cell in displaced | table.differing()}
        reasons = table.record.position.faults(lying)
        return frozenset(cell for cell in displaced if reasons.get(cell) is not None)

    def noticed(self, cell: Cell, now: float) -> None:
        """A reading of this cell counts: a debt that is paid goes dark at once."""
        self.telling.noticed(cell, self._choices(), now)

    def pause(self) -> None:
        """The sensors are out of reach: nothing is awaited from them."""
        self._judge_at = self.telling.look_at = None

    def _look_at_start(self) -> bool:
        table = self.table
        start = agreeing_start(table.sight, table.starts)
        if start != table.record.position and not table.record.plies:
            table.record = Record(start)
        laying = table.record.pieces.keys() | table.inherited
        table.due = set(table.differing() & laying)
        return not table.due

    def _look_after_end(self, now: float) -> bool:
        """The last move may still be taken back; and the start, laid again, begins a new game."""
        table = self.table
        start = agreeing_start(table.sight, table.game.starts)
        relaid = start.pieces.keys() <= table.sight.touched.keys() or table.differing()
        if relaid and not table.sight.differing(start.pieces):
            self.telling.end_if_over()
            table.new_game()
            return False
        explanation = explain(table.case())
        last_only = isinstance(explanation, TakenBack) or (
            isinstance(explanation, Played) and explanation.undone
        )
        if last_only or isinstance(explanation, InOrder):
            return self._accept(explanation, now)
        return False

    def _accept(self, explanation: Explanation, now: float) -> bool:
        """Act on an explanation. Answers whether the board has to be looked at again."""
        match explanation:
            case InOrder():
                return self._in_order()
            case Played(undone=0):
                if not self._stand():
                    self.table.play(explanation.lines)
                return True
            case Played():
                return self._changed_mind(explanation, now)
            case TakenBack():
                return self._taken_back(explanation, now)
            case Several():
                return self._ask(explanation.choices)
            case Disorder():
                return self._disorder(explanation)

    def _in_order(self) -> bool:
        if not self.table.due:
            self.table.in_order()
            self._kept = False
        return False

    def _disorder(self, disorder: Disorder) -> bool:
        if self._stand():
            return True
        standing = self._standing()
        if standing:
            self.table.judged_on = self.table.record.position.standing(standing)
        else:
            self.table.early = disorder.early
        self.table.held = disorder.held
        return False

    # Questions

    def _ask(self, choices: Mapping[str, Answer]) -> bool:
        table = self.table
        new = table.differing() - table.due
        table.held = new
        known = (new & table.record.pieces.keys()) - self._missing
        if any(table.sight.lies[cell] is None for cell in known) and "keep" not in choices:
            return False  # a piece the judge knows is in the air
        self._put_question(choices)
        return False

    def _put_question(self, choices: Mapping[str, Answer]) -> None:
        table = self.table
        self.question, self.led = {name: choices[name] for name in sorted(choices)}, False
        self._asked_of = self._picture()
        if table.asked != tuple(self.question):
            table.told_turn = None
            table.asked = tuple(self.question)
            table.out.append(Asked(table.asked))

    def _picture(self) -> Mapping[Cell, object]:
        """How the cells lie that the open question is about."""
        table, sight = self.table, self.table.sight
        cells = self._choices() | (table.differing() - table.due)
        if table.record.last is not None and "keep" in self.question:
            cells |= {change.cell for change in table.record.last.move.act}
        return {
            cell: (sight.lies[cell], sight.touched.get(cell), cell in sight.wild) for cell in sorted(cells)
        }

    def _still_asked(self) -> bool:
        """Whether the open question stands, since nothing it is about has changed. What else hands do waits."""
        table, sight = self.table, self.table.sight
        if not self.question or table.asked != tuple(self.question):
            return False
        asked_of = self._asked_of.items()
        if any(was != (sight.lies[c], sight.touched.get(c), c in sight.wild) for c, was in asked_of):
            return False
        table.held = table.differing() - table.due
        return True

    def answer(self, name: str, now: float) -> None:
        """One of the answers of the open question was given."""
        explanation = self.question[name]
        if isinstance(explanation, Several):
            self._put_question(explanation.choices)
            self.led = True
            self.telling.tell(self._choices(), now, waiting=False)
            return
        asked_of, self.table.asked, self.question = list(self._asked_of), (), {}
        match explanation:
            case InOrder():
                self.table.sight.forget(asked_of, self.table.record.pieces)
            case Disorder():
                self._kept = True
            case TakenBack():
                self.table.take_back_by_hand(explanation.plies)
            case Named():
                self.table.name(explanation.line)
            case Played():
                self._play_instead(explanation)
        self.judge(now)

    def reconsider(self, now: float) -> bool:
        """Go back from a question that an answer led to. Answers whether there was such."""
        if not self.led or not self.question:
            return False
        self.led, self.question = False, {}
        self.judge(now)
        return True

    def _choices(self) -> set[Cell]:
        """The cells that tell the answers of the open question apart."""
        cells: set[Cell] = set()
        for explanation in _leaves(self.question):
            if isinstance(explanation, Played):
                cells |= {change.cell for change in explanation.lines[0].move.act}
            elif isinstance(explanation, Named):
                cells |= {change.cell for change in explanation.line.move.act}
            elif isinstance(explanation, TakenBack) and self.table.record.last is not None:
                cells |= {change.cell for change in self.table.record.last.move.act}
        return cells

    # A board that stands

    def name(self, label: str, now: float) -> bool:
        """A player names a move. Answers whether it is legal; under `tournament` on the board as it then stands."""
        standing = self._standing()
        trial = self._trial(standing) if standing else self.table.record
        if not _called(label, trial.lines):
            return False
        if standing:
            self.table.stand(standing)
        named = _called(label, self.table.record.lines)
        if len(named) > 1:
            self._put_question({line.move.answer: Named(line) for line in named})
            self.led = True
            self.telling.tell(self._choices(), now, waiting=False)
        else:
            self.table.name(named[0])
            self.judge(now)
        return True

    def correct(self, answer: str, now: float) -> bool:
        """Somebody says what really came to light with the last move. Answers whether that can be."""
        last = self.table.record.plies[-1] if self.table.record.plies else None
        if last is None or not last.move.group:
            return False
        moves = [move for move in last.before.moves() if move.known_as == last.move.group]
        right = [move for move in moves if move.answer == answer != last.move.answer]
        if not right:
            return False
        for change in last.move.act:
            self.table.sight.doubt(change.cell)
        self.table.take_back_by_word()
        self.table.barred.clear()
        self.table.name(Line(right[0], 0))
        self.judge(now)
        return True

    def _stand(self) -> bool:
        """Under `tournament` the next disc ends the claim: the board stands as it lies, if that makes it a move."""
        standing = self._standing()
        if not standing:
            return False
        trial = self._trial(standing)
        new = frozenset(self.table.sight.differing(trial.pieces))
        found = explain(self.table.case()._replace(record=trial, new=new, owed=frozenset()))
        if not isinstance(found, Played):
            return False
        self.table.stand(standing)
        return True

    def _trial(self, standing: dict[Cell, Piece]) -> Record:
        return Record(self.table.record.position.standing(standing))

    def _standing(self) -> dict[Cell, Piece]:
        """Turns missed or wrongly made that the next disc makes stand: the cells, and what lies there."""
        table = self.table
        last = table.record.last
        if self.manner.policy != "tournament" or last is None or not last.move.dues:
            return {}
        cells = {cell for cell, owed in table.told_owed.cells.items() if owed.do == "turn"} | table.due
        cells &= table.differing() & table.record.pieces.keys()
        lying = {cell: table.sight.piece_on(cell) for cell in sorted(cells)}
        return {cell: piece for cell, piece in lying.items() if piece is not None}

    # Taking back by hand

    def _taken_back(self, taken: TakenBack, now: float) -> bool:
        if self.manner.policy == "tournament" or self.table.practice or self._kept:
            return False
        if taken.plain and self._in_a_hand(taken.since, now):
            self.table.early = taken.early
            self.table.held -= taken.early
            return False
        if self.manner.policy == "club":
            return self._ask({"keep": Disorder(), "undo": replace(taken, plain=False)})
        self.table.take_back_by_hand(taken.plies)
        return True

    def _changed_mind(self, played: Played, now: float) -> bool:
        if self.table.practice or self._kept:
            return False
        if self.manner.policy == "tournament":
            return self._touched(played)
        if played.since is not None and self._in_a_hand(played.since, now):
            return False
        if self.manner.policy == "club" and self._first_flip_done():
            return self._ask({"keep": Disorder(), "undo": played})
        self._play_instead(played)
        return True

    def _play_instead(self, played: Played) -> None:
        """Take back, then make the move; passes that went with the ply taken back are made again."""
        if played.undone:
            self.table.take_back_by_hand(played.undone)
        labels = {line.move.label: line for line in self.table.record.lines}
        first = labels.get(played.label)
        if first is not None:
            self.table.play([first, *played.lines[1:]])

    def _in_a_hand(self, since: float, now: float) -> bool:
        """Whether the piece placed last may still be put back; then the board is looked at when it may not."""
        due_at = since + self.manner.take_back
        if now >= due_at:
            return False
        self._judge_at = due_at
        self.table.held = self.table.differing() - self.table.due
        return True

    def _first_flip_done(self) -> bool:
        return not self.table.last_dues <= self.table.due

    def _touched(self, played: Played) -> bool:
        last = self.table.record.last
        if last is not None and played.undone == 1:
            touch = Touched(played.lines[0].move.act[-1].cell, last.move.act[-1].cell)
            if touch != self._touched_before:
                self.table.out.append(touch)
            self._touch = touch
        return False


def _leaves(question: Mapping[str, Answer]) -> Iterator[Answer]:
    """All that may have happened, questions within the question opened up."""
    for answer in question.values():
        if isinstance(answer, Several):
            yield from _leaves(answer.choices)
        else:
            yield answer


def _called(label: str, lines: Sequence[Line]) -> list[Line]:
    """The moves of this label: one, none, or all that only differ in what comes to light."""
    exact = [line for line in lines if line.move.label == label]
    return exact or [line for line in lines if line.move.group == label]
