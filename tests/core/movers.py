"""Hands that move pieces, exchange tiles and keep what is hidden: a whole game at a session, on sensors of any kind.

`Movers` play legal moves chosen by chance, in every order in which hands can make them, now and then clumsily within
what the rules promise; they answer questions by what they know to be true, and after every turn the record has to be
theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from boardctl.core.commands import Asked, Command, Moved
from boardctl.core.events import Elapsed, Event, Pressed, Said, Sampled, Tagged
from boardctl.core.model import Cell, Game, Move, Piece, Position
from boardctl.core.session import Session, Setup
from boardctl.replay import passed

QUIET = 0.8
"""Seconds after which the board has been judged: more than hold and rest."""


class Movers:
    """One table with pieces on it, and whoever plays there."""

    def __init__(self, game: Game, setup: Setup, luck: Random, habits: Iterable[str] = ()) -> None:
        """`habits`: names of `HABITS`, one of which may come before every move."""
        self.game, self.luck = game, luck
        self.habits = sorted(habits)
        self.kind = setup.sensors
        carried = list(game.carriers.values())
        if game.shuffled:
            luck.shuffle(carried)
        self.carries = {f"t{n:02d}": what for n, what in enumerate(carried, 1)}
        self.stands: dict[Cell, tuple[str, str]] = {}
        """Tag and side of the piece on every cell that has one."""
        self.session = Session(game, setup if self.kind != "tags" else _tagged(setup, self.carries))
        self.told: list[Command] = list(self.session.opening())
        self.events: list[tuple[float, Event]] = []
        self.now = 0.0
        self.position: Position = game.starts[0]
        self.labels: list[str] = []
        self.asked = 0
        self._settle_truth()
        for cell, piece in list(self.stands.items()):
            self._put(cell, piece)
        self.rest()

    # Events

    def hear(self, event: Event, wait: float = 0.12) -> None:
        """An event a moment after the one before."""
        self.now += wait
        self.events.append((self.now, event))
        self.told += [command for _, command in passed(self.session, self.now)]
        self.told += self.session.handle(event, self.now)

    def rest(self, seconds: float = QUIET) -> None:
        """Nothing happens for a while."""
        self.now += seconds
        self.told += [command for _, command in passed(self.session, self.now)]
        self.told += self.session.handle(Elapsed(), self.now)

    def _put(self, cell: Cell, piece: tuple[str, str]) -> None:
        self.stands[cell] = piece
        tag, side = piece
        if self.kind == "tags":
            self.hear(Tagged(cell, tag, side))
        elif self.kind != "presses":
            self.hear(Sampled(cell, "piece" if self.kind == "presence" else side))

    def _lift(self, cell: Cell) -> tuple[str, str]:
        if self.kind != "presses":
            self.hear(Sampled(cell, "empty"))
        return self.stands.pop(cell)

    def _press(self, *cells: Cell) -> None:
        for cell in cells:
            self.hear(Pressed(cell), 0.2)

    def _shows(self, cell: Cell) -> Piece | None:
        """What a person sees there."""
        if cell not in self.stands:
            return None
        tag, side = self.stands[cell]
        return self.game.carried(self.carries[tag], side)  # type: ignore[arg-type]

    # Moves

    def act(self, move: Move) -> None:
        """Make a move with the hands, in one of the orders in which it can be made."""
        if len(move.act) == 1:
            self._turn(move.act[0].cell)
        elif self.game.hands == "exchange":
            self._exchange(*[change.cell for change in move.act])
        else:
            self._go(move.act[0].cell, move.act[1].cell)

    def _turn(self, cell: Cell) -> None:
        tag, side = self.stands[cell]
        if self.kind == "presses":
            self._press(cell)
        else:
            self._lift(cell)
        self._put(cell, (tag, "tails" if side == "heads" else "heads"))

    def _exchange(self, one: Cell, other: Cell) -> None:
        if self.luck.random() < 0.5:
            one, other = other, one
        if self.kind == "presses":
            self._press(one, other)
            self.stands[one], self.stands[other] = self.stands[other], self.stands[one]
            return
        first = self._lift(one)
        second = self._lift(other)
        self._put(other, first)
        self._put(one, second)

    def _go(self, start: Cell, end: Cell) -> None:
        if self.kind == "presses":
            self._press(start, end)
            self.stands[end] = self.stands.pop(start)
        elif end in self.stands:
            self._take(start, end)
        else:
            self._put(end, self._lift(start))

    def _take(self, start: Cell, end: Cell) -> None:
        if self.luck.random() < 0.5:
            self._lift(end)
            self._put(end, self._lift(start))
        else:
            captor = self._lift(start)
            self._lift(end)
            self._put(end, captor)

    # A turn

    def turn(self) -> bool:
        """One move, after a clumsy deed perhaps. Answers whether the game goes on."""
        if self.position.outcome is not None:
            return False
        if self.habits and not self.position.dictated:
            HABITS[self.luck.choice(self.habits)](self)
        move = self.luck.choice([move for move in self.position.moves() if self._true(move)])
        if not move.act:
            self.hear(Said(move.label))
        else:
            self.act(move)
        self.rest()
        self._answer({move.label, move.group, move.answer})
        self.labels.append(move.label)
        self.position = self.position.play(move)
        self.check()
        self._call()
        if self.position.relaid:
            self._lay_anew()
        return self.position.outcome is None

    def _true(self, move: Move) -> bool:
        """Whether what comes to light with a move is what the tile carries."""
        if not move.answer:
            return True
        return self.carries[self.stands[move.act[0].cell][0]] == move.answer

    def _answer(self, truth: set[str]) -> None:
        while self.session.referee.question:
            self.asked += 1
            fit = [choice for choice in self.session.referee.question if choice in truth]
            assert len(fit) == 1, f"asked {list(self.session.referee.question)}, but it was {truth}"
            self.hear(Said(fit[0]), 1.0)
            self.rest()

    def _call(self) -> None:
        calls = sorted(self.position.calls)
        if calls and self.luck.random() < 0.4:
            word = self.luck.choice(calls)
            self.position = self.position.calls[word].after
            self.hear(Said(word), 0.5)

    def _lay_anew(self) -> None:
        """After a round: all tiles are taken up, shuffled and laid face down."""
        if self.kind in ("presence", "presses"):
            tags = [tag for tag, _ in self.stands.values()]
            self.luck.shuffle(tags)
            self.stands = dict(zip(self.stands, [(tag, "tails") for tag in tags], strict=True))
            self.hear(Said("ok"), 1.0)
        else:
            cells = list(self.stands)
            tags = [self._lift(cell)[0] for cell in cells]
            self.luck.shuffle(tags)
            for cell, tag in zip(cells, tags, strict=True):
                self._put(cell, (tag, "tails"))
        self.rest()
        self.check()

    def check(self) -> None:
        """The record is what was played, and nothing is wrong, owed or asked."""
        table = self.session.table
        recorded = [ply.move.label for ply in table.record.plies]
        assert recorded == self.labels, f"recorded {recorded[-3:]}, played {self.labels[-3:]}"
        assert not table.told_wrong.cells, table.told_wrong
        if not self.position.relaid and not self.position.dictated:
            assert not table.told_owed.cells, table.told_owed
        assert {cell: self._shows(cell) for cell in self.stands} == dict(self.position.pieces) or (
            self.position.relaid
        )

    # Clumsy deeds, each of which leaves everything as it was

    def adjust(self) -> None:
        """Lift a piece and put it back."""
        if self.kind != "presses":
            cell = self.luck.choice(sorted(self.stands))
            self._put(cell, self._lift(cell))
            self._nothing()

    def adjust_two(self) -> None:
        """Lift two pieces and put both back where they were."""
        if self.kind != "presses" and len(self.stands) > 1:
            one, other = self.luck.sample(sorted(self.stands), 2)
            first, second = self._lift(one), self._lift(other)
            self._put(one, first)
            self._put(other, second)
            self._nothing()

    def hold(self) -> None:
        """Lift a piece, keep it in the hand for a while, and put it back."""
        if self.kind != "presses":
            cell = self.luck.choice(sorted(self.stands))
            piece = self._lift(cell)
            self.rest(self.luck.choice([0.5, 1.5, 4.0]))
            self._put(cell, piece)
            self._nothing()

    def undo(self) -> None:
        """Say undo, and put back what was done."""
        if not self.labels or self.position.relaid or self.session.table.record.position.relaid:
            return
        last = self.session.table.record.plies[-1]
        if not last.move.act or last.before.dictated or self.session.table.setting_up:
            return
        self.hear(Said("undo"), 1.0)
        self.labels.pop()
        self.position = last.before
        if self.kind == "presses":
            self._repay()
        else:
            self._put_back(last.move)
        self.rest()
        self._answer({"nothing"})
        self.check()

    def _put_back(self, move: Move) -> None:
        if len(move.act) == 1:
            self._turn(move.act[0].cell)
        elif self.game.hands == "exchange":
            self._exchange(*[change.cell for change in move.act])
        else:
            (start, _, _), (end, taken, _) = move.act
            self._put(start, self._lift(end))
            if taken is not None:
                tag = next(t for t, what in self.carries.items() if what == taken and not self._on(t))
                self._put(end, (tag, self.game.faces[taken]))

    def _on(self, tag: str) -> bool:
        return any(tag == on for on, _ in self.stands.values())

    def _repay(self) -> None:
        """Press whatever is owed until nothing is."""
        for _ in range(20):
            owed = self.session.table.told_owed.cells
            if not owed:
                break
            cells = list(owed)
            if self.game.hands == "exchange" and all(debt.do == "take" for debt in owed.values()):
                self._press(*cells)
            else:
                self._press(cells[0])
            self.rest()
        self._settle_truth()

    def _settle_truth(self) -> None:
        """What lies there now: the pieces of the position, each with a tag that carries it."""
        free = dict(self.carries)
        known = {cell: tag for cell, (tag, _) in self.stands.items()}
        stands: dict[Cell, tuple[str, str]] = {}
        for cell, piece in sorted(self.position.pieces.items(), key=lambda item: item[1] == "face-down"):
            kept = known.get(cell, "")
            fits = [tag for tag in free if self.game.carried(free[tag], self.game.faces[piece]) == piece]
            tag = kept if kept in fits else fits[0]
            del free[tag]
            stands[cell] = (tag, self.game.faces[piece])
        self.stands = stands

    def wander(self) -> None:
        """Put a man where it may not go, and back again."""
        empty = [cell for cell in self.game.points if cell not in self.stands]
        if not empty or self.kind == "presses" or self.game.hands != "move":
            return
        start, end = self.luck.choice(sorted(self.stands)), self.luck.choice(empty)
        moves = {tuple(change.cell for change in move.act) for move in self.position.moves()}
        if (start, end) in moves or self._known_way(start):
            return
        self._put(end, self._lift(start))
        self.rest()
        self._put(start, self._lift(end))
        self._nothing()

    def _known_way(self, start: Cell) -> bool:
        """Whether that would be another move instead of the last."""
        plies = self.session.table.record.plies
        return bool(plies) and start in {change.cell for change in plies[-1].move.act}

    def _nothing(self) -> None:
        self.rest()
        self._answer({"nothing"})
        self.check()


HABITS: Mapping[str, Callable[[Movers], None]] = {
    "adjust": Movers.adjust,
    "adjust-two": Movers.adjust_two,
    "hold": Movers.hold,
    "none": lambda _: None,
    "undo": Movers.undo,
    "wander": Movers.wander,
}


def _tagged(setup: Setup, carries: Mapping[str, str]) -> Setup:
    return Setup(setup.sensors, setup.hold, setup.rest, setup.start, setup.policy, setup.take_back, carries)


def moved(told: Iterable[Command]) -> list[str]:
    """The labels of all moves told."""
    return [command.move for command in told if isinstance(command, Moved)]


def questions(told: Iterable[Command]) -> list[Asked]:
    """All questions asked."""
    return [command for command in told if isinstance(command, Asked)]
