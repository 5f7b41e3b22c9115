"""Tells what has changed: what is owed, what is wrong, what is complete, whose turn it is, what the lights show.

Whole maps are told, and only when they differ from what was told last.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from boardctl.core import guide, judge
from boardctl.core.commands import Debt, Ended, Light, Lit, Owed, Turn, Why, Wrong
from boardctl.core.model import Cell, Player
from boardctl.core.sentences import Sentences
from boardctl.core.table import Table

ROLLING = 1.0
"""Seconds between a piece that leaves its cell and a stray one that comes, within which it may have rolled there."""


class Telling:
    """The voice of one table. `hints`: show where one may move; `early`: show pieces that lie early as wrong."""

    def __init__(self, table: Table, *, hints: bool, early: bool) -> None:
        self._table = table
        self._hinting = hints
        self._early = early
        self.sentences = Sentences(table.game)
        self.told_lights = Lit({})
        self.look_at: float | None = None
        """When a piece that is away will be called missing, unless it comes back (seconds)."""

    def tell(self, choices: Collection[Cell], now: float, *, waiting: bool) -> None:
        """Say whatever a judgement has changed. `waiting`: what is held is not given up yet."""
        table = self._table
        differing = table.differing() if table.ended is None else frozenset[Cell]()
        if not waiting:
            self._give_up(now)
        self._mark_rolled(differing)
        self._tell_owed(self._debts(differing))
        self._tell_wrong(self._mistakes(differing, now))
        self._look_again(differing, now)
        self._go_on(choices, now)

    def noticed(self, cell: Cell, choices: Collection[Cell], now: float) -> None:
        """A reading of this cell counts: a debt that is paid goes dark at once."""
        table = self._table
        if table.noticed(cell) and (cell in table.told_owed.cells or cell in table.told_wrong.cells):
            self._tell_owed(
                {c: debt for c, debt in table.told_owed.cells.items() if c != cell or debt.do == "confirm"}
            )
            self._tell_wrong({c: reason for c, reason in table.told_wrong.cells.items() if c != cell})
            self._go_on(choices, now)

    # What is owed, what is wrong

    def _give_up(self, now: float) -> None:
        """A piece in the hand for so long is missing, and what was put down meanwhile is no move."""
        table = self._table
        missing = {cell for cell in table.held if self._missing(cell, now)}
        if missing:
            table.held = (table.held & table.record.pieces.keys()) - missing

    def _missing(self, cell: Cell, now: float) -> bool:
        sight = self._table.sight
        return sight.lies[cell] is None and judge.missing_at(sight, cell) <= now

    def _mark_rolled(self, differing: frozenset[Cell]) -> None:
        """Stray pieces that came when others left are no moves: they rolled there."""
        sight, pieces = self._table.sight, self._table.record.pieces
        known = (differing - self._table.due - self._table.held) & pieces.keys()
        left = [
            sight.empty_since[cell]
            for cell in known
            if sight.lies[cell] is None and cell in sight.empty_since
        ]
        if left:
            came = {cell: sight.filled_since.get(cell, 0.0) for cell in differing - pieces.keys()}
            self._table.rolled |= {
                c for c, at in came.items() if min(left) - ROLLING <= at <= max(left) + ROLLING
            }

    def _debts(self, differing: frozenset[Cell]) -> dict[Cell, Debt]:
        table = self._table
        owing = differing - table.held - table.early
        dictated = self._dictated() if not owing else {}
        if not owing and not table.unsure:
            return dictated
        pieces, turning = table.record.pieces, table.turning
        debts = {cell: judge.debt(table.sight, cell, pieces.get(cell), turning) for cell in owing}
        debts |= {
            cell: Debt("confirm", piece) for cell, piece in table.unsure.items() if cell in table.sight.wild
        }
        return dict(sorted((dictated | debts).items()))

    def _dictated(self) -> dict[Cell, Debt]:
        """What hands have to do for a player who chooses nothing."""
        table, sight = self._table, self._table.sight
        position = table.record.position
        if not position.dictated or table.setting_up or table.ended is not None:
            return {}
        changes = sorted(change for move in table.record.moves for change in move.act)
        return {
            cell: Debt("put", after) if after is not None and sight.lies[cell] is None else Debt("take")
            for cell, _, after in changes
            if not sight.agrees(cell, after)
        }

    def _mistakes(self, differing: frozenset[Cell], now: float) -> dict[Cell, str]:
        table = self._table
        if not differing:
            return {}
        silent = table.held if self._early else table.held | table.early
        return judge.mistakes(table.sight, table.record.pieces, differing - silent, self._ground(), now)

    def _ground(self) -> judge.Ground:
        table = self._table
        if table.setting_up:
            missing = {cell for cell in table.due if table.sight.lies[cell] is None}
            return judge.Ground(None, (), missing | table.inherited, table.early, table.late)
        claimed = table.last_dues | table.due
        position = table.judged_on or table.record.position
        return judge.Ground(position, table.turning, claimed, table.early, table.late)

    def _look_again(self, differing: frozenset[Cell], now: float) -> None:
        table = self._table
        self.look_at = None
        if not table.setting_up:
            missing = [judge.missing_at(table.sight, c) for c in differing if table.sight.lies[c] is None]
            first = min((at for at in missing if at > now), default=None)
            if first is not None:  # those that left together are missed together
                self.look_at = max(at for at in missing if at <= first + ROLLING)

    def _tell_owed(self, debts: Mapping[Cell, Debt]) -> None:
        if debts != self._table.told_owed.cells:
            self._table.told_owed = Owed(self._why(debts), debts)
            self._table.out.append(self._table.told_owed)

    def _why(self, debts: Mapping[Cell, Debt]) -> Why:
        table = self._table
        if not debts:
            return table.told_owed.why
        if debts.keys() <= self._dictated().keys():
            return "move"
        if table.why == "resume" or debts.keys() & (table.due | table.unsure.keys()):
            return table.why
        return "move" if debts.keys() <= table.last_dues else "repair"

    def _tell_wrong(self, reasons: Mapping[Cell, str]) -> None:
        table = self._table
        if reasons != table.told_wrong.cells:
            say = self.sentences.wrong(reasons, self._judged_player(), table.record.pieces)
            table.told_wrong = Wrong(reasons, say)
            table.out.append(table.told_wrong)

    def _judged_player(self) -> Player:
        """Whose move a stray piece is judged as."""
        return self._table.record.position.player

    # Whose turn it is

    @property
    def _clear(self) -> bool:
        """Whether nothing is owed or wrong; what only waits to be confirmed holds up nothing."""
        table = self._table
        return not table.told_wrong.cells and all(d.do == "confirm" for d in table.told_owed.cells.values())

    def _go_on(self, choices: Collection[Cell], now: float) -> None:
        self._table.complete()
        if not self._clear:
            self._table.told_turn = None
        elif self._table.ended is None and not choices:
            self._await_move(now)
        self._tell_lights(choices)

    def _await_move(self, now: float) -> None:
        table = self._table
        practised = len(table.record.plies) >= table.practice or table.record.position.outcome is not None
        if table.practice and practised:
            table.practice = 0
            table.lay_start("set-up")
            self.tell((), now, waiting=False)
            return
        while table.record.must_pass and table.game.pass_automatic:
            table.make_pass(bound=True)
        if not self.end_if_over():
            self._tell_turn()

    def end_if_over(self) -> bool:
        """Announce the end where the rules say that the game is over."""
        outcome = self._table.record.position.outcome
        if outcome is None or self._table.ended is not None:
            return outcome is not None
        if self._table.held:
            return True  # a piece in somebody's hand may take the end back
        self._table.end(Ended(outcome.winner, outcome.because, outcome.score))
        return True

    def _tell_turn(self) -> None:
        table = self._table
        if table.told_turn is None:
            position = table.record.position
            moves = sorted({move.known_as for move in table.record.moves})
            table.told_turn = Turn(
                table.record.next_number,
                position.player,
                moves,
                list(position.must) or None,
                position.supply or None,
            )
            table.out.append(table.told_turn)

    # Lights

    def _tell_lights(self, choices: Collection[Cell]) -> None:
        table = self._table
        last = table.record.last
        placed = [change.cell for change in last.move.act if change.after is not None] if last else []
        lit = Lit(
            guide.lights(
                owed=guide.owed_lights(table.game, table.told_owed.cells, placed[-1] if placed else None),
                wrong=[cell for cell, why in table.told_wrong.cells.items() if why != "missing-piece"],
                choice=choices,
                mark=guide.marks(table.sight, table.record.position.marks),
                hint=self._hints(),
                last=placed,
            )
        )
        if lit != self.told_lights:
            self.told_lights = lit
            table.out.append(lit)

    def _hints(self) -> Mapping[Cell, Light]:
        table = self._table
        if not self._hinting or table.told_turn is None or table.ended is not None:
            return {}
        return guide.hints(table.sight, [line.move for line in table.record.lines], table.held)
