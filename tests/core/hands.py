"""Hands over a real board: discs, contacts that bounce, and people who are clumsy within what the rules promise.

`Hands` moves discs and feels what the sensors of one kind tell of it. `Evening` lets hands play a game at a session:
it keeps its own record of what was meant, answers questions truthfully, and compares after every turn. All chance is
drawn from the `Random` given, so that an evening is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from boardctl.core.commands import Command, Ended, Lit, Moved, Owed, Passed, Turn, Undone, Wrong
from boardctl.core.events import Elapsed, Event, Lost, Pressed, Restored, Said, Sampled
from boardctl.core.model import PASS, Cell, Change, Game, Move, Piece, Position
from boardctl.core.session import Session, Setup
from boardctl.replay import passed

Timed = tuple[float, Event]

CALM = 2.0
"""Seconds between two clumsy acts: a cell that changes more often than hands can is taken for a chattering one."""


class Hands:
    """Discs on a board, the hands that move them, and what the sensors under them feel."""

    def __init__(self, game: Game, setup: Setup, luck: Random, *, bouncing: bool) -> None:
        self.game = game
        self.lies: dict[Cell, Piece | None] = dict.fromkeys(game.points)
        self.felt: list[Timed] = []
        """What the sensors told that nobody has read yet."""
        self._sensors = setup.sensors
        self._hold = setup.hold
        self._luck = luck
        self._bouncing = bouncing and setup.hold > 0
        self._told = True

    @property
    def see(self) -> bool:
        """Whether the sensors see discs and not only presses."""
        return self._sensors != "presses"

    def reading(self, cell: Cell) -> str:
        """What the sensor under a cell sees."""
        piece = self.lies[cell]
        if piece is None:
            return "empty"
        return "piece" if self._sensors == "presence" else self.game.faces[piece]

    # One hand; every act answers when it is done

    def place(self, cell: Cell, piece: Piece, at: float) -> float:
        """Put a disc down."""
        if not self.see:
            self.lies[cell] = piece
            return self._press(cell, at)
        return self._becomes(cell, piece, at)

    def take(self, cell: Cell, at: float) -> float:
        """Take a disc away."""
        if not self.see:
            self.lies[cell] = None
            return self._press(cell, at)
        return self._becomes(cell, None, at)

    def turn(self, cell: Cell, at: float, away: float = 0.0) -> float:
        """Turn a disc over: tipped where a side is seen, or lifted for a moment (`away` seconds) and put back."""
        piece = self.game.turned(self.lies[cell] or "")
        if not self.see:
            self.lies[cell] = piece
            return self._press(cell, at)
        if self._sensors == "polarity" and self._luck.random() < 0.5:
            return self._becomes(cell, piece, at)
        return self._lifted(cell, piece, at, away)

    def adjust(self, cell: Cell, at: float, away: float = 0.0) -> float:
        """Lift a disc and put it back as it was; buttons feel nothing of it."""
        return self._lifted(cell, self.lies[cell], at, away) if self.see else at

    def _lifted(self, cell: Cell, piece: Piece | None, at: float, away: float) -> float:
        down = self._becomes(cell, None, at) + self._hold + (away or self._luck.uniform(0.02, 0.12))
        return self._becomes(cell, piece, down)

    # Contacts

    def _press(self, cell: Cell, at: float) -> float:
        if self._told:
            self.felt.append((at, Pressed(cell)))
            if self._bouncing and self._luck.random() < 0.3:
                self.felt.append((at + 0.02, Pressed(cell)))
        return at + 0.06

    def _becomes(self, cell: Cell, piece: Piece | None, at: float) -> float:
        before = self.reading(cell)
        self.lies[cell] = piece
        now = self.reading(cell)
        if not self._told or before == now:
            return at + 0.01
        self._tell(cell, now, at)
        for _ in range(self._luck.choice((0, 0, 1, 3)) if self._bouncing else 0):
            self._tell(cell, before, at + self._hold / 9)
            self._tell(cell, now, at + self._hold / 5)
            at += self._hold / 5
        return at + self._hold + 0.01

    def blip(self, cell: Cell, at: float) -> None:
        """The contact opens or closes for less than the hold, with nobody near."""
        if self.see and self._told and self._hold > 0:
            self._tell(cell, "empty" if self.lies[cell] else self._shown(), at)
            self._tell(cell, self.reading(cell), at + self._hold * self._luck.uniform(0.1, 0.9))

    def _shown(self) -> str:
        return "piece" if self._sensors == "presence" else self._luck.choice(("heads", "tails"))

    def _tell(self, cell: Cell, sees: str, at: float) -> None:
        self.felt.append((at, Sampled(cell, sees)))  # type: ignore[arg-type]  # a word of `Reading`

    def lose(self, at: float) -> None:
        """The cable is pulled: hands go on, nobody feels it."""
        self.felt.append((at, Lost()))
        self._told = False

    def restore(self, at: float) -> None:
        """The cable is back, and every cell is told."""
        self._told = True
        self.felt.append((at, Restored()))
        for cell in self.game.points if self.see else ():
            self._tell(cell, self.reading(cell), at)


class Meant(NamedTuple):
    """A ply as the hands mean it."""

    before: Position
    move: Move
    bound: bool


class Evening:
    """One game of clumsy hands at a session. `play` raises AssertionError as soon as the two disagree."""

    def __init__(self, game: Game, setup: Setup, luck: Random, habits: Iterable[str]) -> None:
        self.game = game
        self.setup = setup
        self.luck = luck
        self.habits = frozenset(habits)
        self.hands = Hands(game, setup, luck, bouncing="bounce" in self.habits)
        self.session = Session(game, setup)
        self.now = 0.5
        self.events: list[Timed] = []
        self.told: list[tuple[float, Command]] = []
        self.position: Position = game.starts[0]
        self.plies: list[Meant] = []
        self.meant: list[tuple[str, ...]] = []
        """The moves, passes and undos that the session has to tell, in order."""
        self.truth = "nothing"
        """The true answer, should the session ask."""
        self.asked = 0
        self.played = 0
        self._hear(0.0, self.session.opening())

    # The session

    def _hear(self, at: float, commands: Iterable[Command]) -> None:
        self.told += [(at, command) for command in commands]

    def _feel(self, until: float) -> None:
        felt, self.hands.felt = sorted(self.hands.felt, key=lambda timed: timed[0]), []
        for at, event in felt:
            self._take(at, event)
        for at, command in passed(self.session, until):
            self._hear(at, [command])

    def _take(self, at: float, event: Event) -> None:
        for then, command in passed(self.session, at):
            self._hear(then, [command])
        self.events.append((at, event))
        self._hear(at, self.session.handle(event, at))

    def rest(self, more: float = 0.0) -> None:
        """Hands off the board until it has been judged; a question is answered."""
        self._go_on_to(self.now + self.setup.hold + self.setup.rest + 0.05 + more)
        for _ in range(8):
            if self.session.referee.question:
                self._answer()
        self._pass_if_automatic()

    def _pass_if_automatic(self) -> None:
        """Where nobody has to say it, a pass is made as soon as the board is in order."""
        while self.game.pass_automatic and _must_pass(self.position) and self.in_order:
            self._means(Move(PASS), bound=True)

    @property
    def in_order(self) -> bool:
        """Whether the discs lie as the moves meant say."""
        return {c: piece for c, piece in self.hands.lies.items() if piece is not None} == self.position.pieces

    def _go_on_to(self, then: float) -> None:
        if "blip" in self.habits:
            self._blip(then)
        self.now = then
        self._feel(self.now)

    def _answer(self) -> None:
        choices = tuple(self.session.referee.question)
        self.asked += 1
        assert self.truth in choices, self._report(f"asks {choices}, but the truth is {self.truth}")
        self.say(self.truth)
        self._go_on_to(self.now + self.setup.hold + self.setup.rest + 0.05)

    def _blip(self, until: float) -> None:
        busy = {event.cell for _, event in self.hands.felt if isinstance(event, Sampled)}
        quiet = [cell for cell in self.game.points if cell not in busy]
        for cell in self.luck.sample(quiet, min(len(quiet), self.luck.randint(0, 2))):
            self.hands.blip(cell, self.luck.uniform(self.now, max(self.now, until - self.setup.hold)))

    def say(self, word: str) -> None:
        """Somebody says a word, now."""
        self._feel(self.now)
        self._take(self.now, Said(word))
        self.now += 0.05

    def wait(self, *, quick: bool = False) -> None:
        """A moment between two acts: within one rest if `quick`, else perhaps longer."""
        self.now += self.luck.uniform(0.02, 0.12)
        if not quick and self.luck.random() < 0.3:
            self.rest(self.luck.uniform(0.0, 0.6))

    # What is meant

    def lines(self, position: Position | None = None) -> list[Move]:
        """The moves hands can make, a forced pass left unsaid."""
        at = position or self.position
        moves = list(at.moves())
        return [m for m in at.play(moves[0]).moves() if m.label != PASS] if _must_pass(at) else moves

    def means(self, move: Move) -> None:
        """This move was made, and a pass before it if the player had none."""
        if _must_pass(self.position):
            self._means(Move(PASS), bound=True)
        self._means(move, bound=False)
        self.played += 1

    def _means(self, move: Move, *, bound: bool) -> None:
        kind = (
            ("pass", self.position.player)
            if move.label == PASS
            else ("move", self.position.player, move.label)
        )
        self.meant.append(kind)
        self.plies.append(Meant(self.position, move, bound))
        self.position = self.position.play(move)

    def means_back(self, *, by_hand: bool = False) -> list[Meant]:
        """The last ply is taken back, with the passes that go with it."""
        gone = [self._back()]
        while self.plies and (not gone[-1].move.act if by_hand else gone[-1].bound):
            gone.append(self._back())
        while self.plies and self.plies[-1].bound and not self.game.pass_automatic:
            gone.append(self._back())
        return gone

    def _back(self) -> Meant:
        ply = self.plies.pop()
        self.meant.append(("undo", ply.move.label))
        self.position = ply.before
        return ply

    # What is compared

    def settle(self) -> None:
        """Rest, then see that nothing is owed or wrong and that everything meant was told, and nothing else."""
        self.rest()
        assert self.in_order, self._report("the hands themselves are wrong")
        told = [_spine(command) for _, command in self.told]
        spine = [entry for entry in told if entry]
        assert spine == self.meant, self._report(f"told {spine[-6:]}, meant {self.meant[-6:]}")
        assert self.last(Owed) in (None, {}), self._report(f"still owed: {self.last(Owed)}")
        assert self.last(Wrong) in (None, {}), self._report(f"still wrong: {self.last(Wrong)}")
        shown = {cell: light.meaning for cell, light in (self.last(Lit) or {}).items()}
        false = {cell: shows for cell, shows in shown.items() if shows in ("owed", "wrong", "choice")}
        assert not false, self._report(f"false lights: {false}")
        self._settle_turn()

    def _settle_turn(self) -> None:
        if self.position.outcome is not None:
            assert any(isinstance(command, Ended) for _, command in self.told), self._report("not over")
            return
        turns = [command for _, command in self.told if isinstance(command, Turn)]
        labels = sorted(move.label for move in self.position.moves())
        got = (turns[-1].player, list(turns[-1].moves)) if turns else None
        assert got == (self.position.player, labels), self._report(f"awaits {got}")

    def last(self, kind: type[Owed] | type[Wrong] | type[Lit]) -> Mapping[Cell, object] | None:
        """The last whole map told of this kind, or None."""
        return next((command.cells for _, command in reversed(self.told) if isinstance(command, kind)), None)

    def shows_wrong(self, cell: Cell) -> None:
        """The session has said that what lies on this cell is wrong."""
        assert cell in (self.last(Wrong) or {}), self._report(f"{cell} is wrong and nothing says so")

    def _report(self, fault: str) -> str:
        return "\n".join(
            ["", fault, f"game {self.game.name} {dict(self.game.options)}", str(self.setup), *self.story()]
        )

    def story(self) -> list[str]:
        """All that happened and all that was told, a line each, in order."""
        felt = [(at, 0, _felt(event)) for at, event in self.events]
        told = [(at, 1, f"      -> {command}") for at, command in self.told if not isinstance(command, Lit)]
        return [f"{at:.3f} {text}" for at, _, text in sorted(felt + told, key=lambda each: each[:2])]

    # Playing

    def play(self, plies: int) -> None:
        """Lay the start if it does not lie there, then play so many turns, or to the end."""
        if self.setup.start == "laid":
            self.hands.lies |= self.position.pieces
        else:
            self._lay_start()
        self.settle()
        for _ in range(plies):
            if self.position.outcome is not None:
                return
            self._turn()
            self.settle()

    def _lay_start(self) -> None:
        for cell, piece in self.luck.sample(sorted(self.position.pieces.items()), len(self.position.pieces)):
            self.now = self.hands.place(cell, piece, self.now)
            self.wait()

    def _turn(self) -> None:
        if _must_pass(self.position) and (not self.lines() or self.luck.random() < 0.5):
            self.say(self.luck.choice(("pass", "ok")))
            self._means(Move(PASS), bound=False)
            return
        self.truth = "nothing"
        for habit in self._fitting(BEFORE, 0.15):
            self.rest(CALM)
            habit(self)
            self.rest(CALM)
        move = self.luck.choice(self.lines())
        self.truth = move.label
        how = self._fitting(HOW, 1.0)
        (self.luck.choice(how) if how and self.luck.random() < 0.7 else plainly)(self, move)

    def _fitting(self, habits: Mapping[str, Habit], chance: float) -> list[Callable[..., None]]:
        fitting = [h for name, h in habits.items() if name in self.habits and h.fits(self)]
        return [habit.act for habit in fitting if self.luck.random() < chance]

    # Many discs

    def turn_all(self, cells: Iterable[Cell], *, quick: bool = False) -> None:
        """Turn these discs, in any order; perhaps with two hands at once."""
        order = list(cells)
        self.luck.shuffle(order)
        if "two-hands" in self.habits and len(order) > 1 and self.luck.random() < 0.5:
            self._turn_with_two_hands(order)
            return
        for cell in order:
            self.now = self.hands.turn(cell, self.now)
            self.wait(quick=quick)

    def _turn_with_two_hands(self, order: Sequence[Cell]) -> None:
        left, right = self.now, self.now + 0.01
        for number, cell in enumerate(order):
            if number % 2:
                right = self.hands.turn(cell, right) + self.luck.uniform(0.01, 0.1)
            else:
                left = self.hands.turn(cell, left) + self.luck.uniform(0.01, 0.1)
        self.now = max(left, right)

    def empties(self) -> list[Cell]:
        """Cells on which nothing lies."""
        return [cell for cell, piece in self.hands.lies.items() if piece is None]

    def discs(self) -> list[Cell]:
        """Cells on which a disc lies."""
        return [cell for cell, piece in self.hands.lies.items() if piece is not None]

    def to_turn(self) -> list[Cell]:
        """Discs that do not show what the record meant says."""
        pieces = self.position.pieces
        return [
            c for c, lies in self.hands.lies.items() if lies is not None and c in pieces and lies != pieces[c]
        ]


def _must_pass(position: Position) -> bool:
    return [move.label for move in position.moves()] == [PASS]


def _spine(command: Command) -> tuple[str, ...]:
    match command:
        case Moved():
            return ("move", command.player, command.move)
        case Passed():
            return ("pass", command.player)
        case Undone():
            return ("undo", command.move)
        case _:
            return ()


def _felt(event: Event) -> str:
    match event:
        case Sampled(cell, sees):
            return f"{cell} {sees}"
        case Pressed(cell):
            return f"{cell} press"
        case Said(word):
            return f"say {word}"
        case Lost():
            return "lost"
        case Restored():
            return "restored"
        case Elapsed():
            return "end"
        case _:
            return str(event)


def _cells(changes: Iterable[Change]) -> list[Cell]:
    return [change.cell for change in changes]


def _put(evening: Evening, move: Move, at: float) -> float:
    ((cell, _, piece),) = move.act
    return evening.hands.place(cell, piece or "", at)


# How a move is made


def plainly(evening: Evening, move: Move) -> None:
    """The disc, then its turns."""
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.wait()
    evening.turn_all(_cells(move.dues))


def flips_first(evening: Evening, move: Move) -> None:
    """Some turns, the disc, the other turns. Reeds forget a turn at a rest, so there hands are quick."""
    dues = _cells(move.dues)
    early = evening.luck.sample(dues, evening.luck.randint(1, len(dues)))
    evening.turn_all(early, quick=evening.setup.sensors == "presence" or last_placed(evening) in early)
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.wait()
    evening.turn_all(evening.to_turn())


def wrong_side(evening: Evening, move: Move) -> None:
    """The disc shows the other side, and is turned over when a light says so."""
    ((cell, _, piece),) = move.act
    evening.now = evening.hands.place(cell, evening.game.turned(piece or "") or "", evening.now)
    evening.rest()
    evening.shows_wrong(cell)
    evening.now = evening.hands.turn(cell, evening.now)
    evening.means(move)
    evening.wait()
    evening.turn_all(_cells(move.dues))


def sliding(evening: Evening, move: Move) -> None:
    """The disc is pushed over other empty cells to its own."""
    ((cell, _, piece),) = move.act
    path = [c for c in evening.luck.sample(evening.empties(), min(3, len(evening.empties()))) if c != cell]
    at = evening.now
    for over, onto in pairwise([*path, cell]):
        at = evening.hands.place(over, piece or "", at) + evening.luck.uniform(0.0, 0.15)
        if evening.luck.random() < 0.5:
            evening.hands.place(onto, piece or "", at)
            at = evening.hands.take(over, at + 0.02)
        else:
            at = evening.hands.take(over, at) + 0.02
    evening.now = max(at, evening.hands.place(cell, piece or "", at))
    evening.means(move)
    evening.wait()
    evening.turn_all(_cells(move.dues))


def said(evening: Evening, move: Move) -> None:
    """The move is named, then made by hand in any order."""
    if _must_pass(evening.position):
        evening.say("pass")
        evening._means(Move(PASS), bound=False)
    evening.say(move.label)
    evening.means(move)
    early = evening.luck.random() < 0.5
    if early:
        evening.turn_all(_cells(move.dues))
    evening.now = _put(evening, move, evening.now)
    evening.wait()
    evening.turn_all([] if early else _cells(move.dues))


def with_a_stray(evening: Evening, move: Move) -> None:
    """A second disc falls out of the hand beside the move; it is taken away."""
    after = {m.label for m in evening.lines(_after(evening.position, move))}
    legal = {m.label for m in evening.lines()}
    cells = [c for c in evening.empties() if c not in after | legal | {move.act[0].cell}]
    if not cells:
        plainly(evening, move)
        return
    stray = evening.luck.choice(cells)
    evening.now = _put(evening, move, evening.now)
    evening.now = evening.hands.place(stray, move.act[0].after or "", evening.now)
    evening.means(move)
    evening.wait()
    evening.turn_all(_cells(move.dues))
    evening.rest()
    evening.shows_wrong(stray)
    evening.now = evening.hands.take(stray, evening.now)


def turning_too_much(evening: Evening, move: Move) -> None:
    """A disc is turned that is none of the move's, and turned back."""
    others = [c for c in evening.discs() if c not in _cells(move.dues)]
    wrong = evening.luck.choice(others)
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.wait()
    evening.turn_all([*_cells(move.dues), wrong])
    evening.rest()
    evening.now = evening.hands.turn(wrong, evening.now)


def turning_twice(evening: Evening, move: Move) -> None:
    """A disc is turned over once too often, and once more."""
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.rest()
    evening.turn_all(_cells(move.dues), quick=True)
    evening.now += 0.06
    again = evening.luck.choice(_cells(move.dues))
    evening.now = evening.hands.turn(again, evening.now)
    evening.rest()
    evening.now = evening.hands.turn(again, evening.now)


def hesitating(evening: Evening, move: Move) -> None:
    """The disc is put down and taken up again at once, then put down for good."""
    evening.now = _put(evening, move, evening.now) + 0.03
    evening.now = evening.hands.take(move.act[0].cell, evening.now)
    if evening.luck.random() < 0.5:
        evening.rest()
    evening.now += 0.06
    plainly(evening, move)


def answered_at_once(evening: Evening, move: Move) -> None:
    """The opponent answers elsewhere before the board has come to rest."""
    reply = _reply(evening, move)
    if reply is None or move.act[0].cell in _cells(reply.dues):
        plainly(evening, move)
        return
    _answer_at_once(evening, move, reply)


def answered_and_turned(evening: Evening, move: Move) -> None:
    """The opponent answers before the board has come to rest, and turns the very disc that was placed."""
    replies = [m for m in _answers(evening, move) if move.act[0].cell in _cells(m.dues)]
    if not replies:
        plainly(evening, move)
        return
    _answer_at_once(evening, move, evening.luck.choice(replies))


def _answer_at_once(evening: Evening, move: Move, reply: Move) -> None:
    evening.now = _put(evening, move, evening.now) + 0.02
    evening.turn_all(_cells(move.dues), quick=True)
    evening.means(move)
    evening.now = _put(evening, reply, evening.now)
    evening.means(reply)
    evening.wait()
    evening.turn_all(_cells(reply.dues))


def answered_early(evening: Evening, move: Move) -> None:
    """The opponent answers when the turns are not all done yet: they come first."""
    reply = _reply(evening, move)
    if reply is None:
        plainly(evening, move)
        return
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.rest()
    done = evening.luck.sample(_cells(move.dues), evening.luck.randint(0, len(move.dues) - 1))
    evening.turn_all(done)
    evening.now = _put(evening, reply, evening.now)
    evening.rest()
    evening.turn_all(evening.to_turn())
    evening.rest()
    evening.means(reply)
    evening.turn_all(_cells(reply.dues))


def _reply(evening: Evening, move: Move) -> Move | None:
    replies = _answers(evening, move)
    return evening.luck.choice(replies) if replies else None


def _answers(evening: Evening, move: Move) -> list[Move]:
    after = _after(evening.position, move)
    return [] if _must_pass(after) else list(after.moves())


def _after(position: Position, move: Move) -> Position:
    return (position.play(Move(PASS)) if _must_pass(position) else position).play(move)


def changing_mind(evening: Evening, move: Move) -> None:
    """The disc lies already, and moves on to another cell where it may be played."""
    answers = {m.label for m in _answers(evening, move) if move.act[0].cell in _cells(m.dues)}
    others = [m for m in evening.lines() if m != move and (_polarity(evening) or m.label not in answers)]
    if not others or _must_pass(evening.position) or _after(evening.position, move).outcome is not None:
        plainly(evening, move)
        return
    _change_mind(evening, move, evening.luck.choice(others))


def changing_mind_anyhow(evening: Evening, move: Move) -> None:
    """The disc moves on to another cell, be it after a pass or to where the opponent could play too."""
    others = [m for m in evening.lines() if m != move]
    if not others:
        plainly(evening, move)
        return
    _change_mind(evening, move, evening.luck.choice(others))


def _change_mind(evening: Evening, move: Move, other: Move) -> None:
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.rest()
    evening.means_back(by_hand=True)
    evening.truth = "undo"
    evening.now = evening.hands.take(move.act[0].cell, evening.now) + 0.05
    evening.now = _put(evening, other, evening.now)
    evening.means(other)
    doubtful = (
        evening.setup.sensors == "presence"
    )  # the opponent might play there, with the first disc in hand
    evening.rest(evening.setup.take_back if doubtful else 0.0)
    evening.turn_all(_cells(other.dues))


def undone_by_hand(evening: Evening, move: Move) -> None:
    """The move is made, wholly or in part, and taken back by hand."""
    if _after(evening.position, move).outcome is not None:
        plainly(evening, move)
        return
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.rest()
    evening.turn_all(evening.luck.sample(_cells(move.dues), evening.luck.randint(0, len(move.dues))))
    evening.rest()
    _take_back(evening, 1)


def plies_undone_by_hand(evening: Evening, move: Move) -> None:
    """The move is made; then it and plies before it whose discs nobody has turned are taken back by hand."""
    plainly(evening, move)
    evening.rest()
    plies, turned = 0, set[Cell]()
    for ply in reversed([ply for ply in evening.plies if ply.move.act][-3:]):
        if ply.move.act[0].cell in turned:
            break
        turned |= set(_cells(ply.move.dues))
        plies += 1
    _take_back(evening, evening.luck.randint(1, plies))


def plies_undone_by_hand_anyhow(evening: Evening, move: Move) -> None:
    """The move is made; then it and the plies before it are taken back by hand."""
    plainly(evening, move)
    evening.rest()
    _take_back(evening, evening.luck.randint(1, 3))


def _take_back(evening: Evening, plies: int) -> None:
    evening.truth = "undo"
    gone: list[Cell] = []
    for _ in range(plies):
        if any(ply.move.act for ply in evening.plies):
            gone += [cell for ply in evening.means_back(by_hand=True) for cell in _cells(ply.move.act)]
    if evening.luck.random() < 0.5:
        evening.turn_all([c for c in evening.to_turn() if c not in gone], quick=True)
    for cell in gone:
        evening.now = evening.hands.take(cell, evening.now) + 0.01
    evening.wait()
    evening.turn_all(evening.to_turn())
    evening.rest(evening.setup.take_back)


def undone_by_word(evening: Evening, move: Move) -> None:
    """The move is made, wholly or in part; somebody says undo, and the discs follow."""
    evening.now = _put(evening, move, evening.now)
    evening.means(move)
    evening.rest()
    evening.turn_all(evening.luck.sample(_cells(move.dues), evening.luck.randint(0, len(move.dues))))
    evening.rest()
    for _ in range(evening.luck.randint(1, min(3, len(evening.plies)))):
        if evening.plies:
            evening.say("undo")
            evening.means_back()
            evening.say("ok") if evening.setup.policy == "club" else None
    _put_right(evening)


def _put_right(evening: Evening) -> None:
    pieces = evening.position.pieces
    strays = [cell for cell in evening.discs() if cell not in pieces]
    first = evening.luck.random() < 0.5
    evening.turn_all(evening.to_turn() if first else [])
    for cell in strays:
        evening.now = evening.hands.take(cell, evening.now)
        evening.wait()
    evening.turn_all(evening.to_turn())


def while_lost(evening: Evening, move: Move) -> None:
    """The cable is out while the move is made. Reeds could not see the turns, so they are touched again."""
    evening.hands.lose(evening.now)
    evening.now = _put(evening, move, evening.now + 0.1) + 0.1
    evening.turn_all(_cells(move.dues), quick=True)
    evening.now += evening.luck.uniform(0.1, 5.0)
    evening.hands.restore(evening.now)
    evening.means(move)
    evening.rest()
    for cell in _cells(move.dues) if evening.setup.sensors == "presence" else ():
        evening.now = evening.hands.adjust(cell, evening.now)
        evening.wait()


# What else hands do, between two moves


def adjusting(evening: Evening) -> None:
    """One to four discs are lifted and put back."""
    for cell in evening.luck.sample(evening.discs(), min(4, evening.luck.randint(1, 4))):
        evening.now = evening.hands.adjust(cell, evening.now)
        evening.wait(quick=True)


def holding(evening: Evening) -> None:
    """A disc is held in the hand for a while, shorter than counts as taken back, and put back."""
    away = evening.luck.uniform(0.0, max(0.02, evening.setup.take_back - evening.setup.hold - 0.1))
    evening.now = evening.hands.adjust(evening.luck.choice(evening.discs()), evening.now, away)


def stray(evening: Evening) -> None:
    """A disc is put where nobody may play, and taken away."""
    legal = {move.label for move in evening.lines()}
    cells = [cell for cell in evening.empties() if cell not in legal]
    if not cells:
        return
    cell = evening.luck.choice(cells)
    evening.now = evening.hands.place(cell, evening.luck.choice(sorted(evening.game.faces)), evening.now)
    evening.rest()
    evening.shows_wrong(cell)
    evening.now = evening.hands.take(cell, evening.now)


def turned_and_back(evening: Evening) -> None:
    """A disc is turned though nobody played, and turned back."""
    cell = evening.luck.choice(evening.discs())
    evening.now = evening.hands.turn(cell, evening.now)
    evening.wait()
    evening.now = evening.hands.turn(cell, evening.now + 0.06)


def knocked(evening: Evening) -> None:
    """Discs fly off, one that is neither new nor newly turned among them; some land where nobody lately could play."""
    acts = [cell for ply in evening.plies for cell in _cells(ply.move.act)]
    turned = {cell for ply in evening.plies[-6:] for cell in _cells(ply.move.dues)}
    firm = [cell for cell in evening.discs() if cell not in acts and cell not in turned]
    legal = {m.label for ply in evening.plies[-6:] for m in evening.lines(ply.before)}
    legal |= {m.label for m in evening.lines()}
    if firm:
        _knock(evening, evening.luck.choice(firm), [c for c in evening.empties() if c not in legal])


def knocked_anyhow(evening: Evening) -> None:
    """Discs fly off, one from the start among them; some land anywhere, if that does not look like a move begun."""
    acts = [cell for ply in evening.plies for cell in _cells(ply.move.act)]
    firm = evening.luck.choice([cell for cell in evening.discs() if cell not in acts])
    begun = {m.label for m in evening.lines() if firm in _cells(m.dues)}
    _knock(evening, firm, [cell for cell in evening.empties() if cell not in begun])


def _knock(evening: Evening, firm: Cell, floor: list[Cell]) -> None:
    """All is put right, the discs placed last first."""
    acts = [cell for ply in evening.plies for cell in _cells(ply.move.act)]
    loose = evening.luck.sample(acts, min(len(acts), evening.luck.randint(1, 5)))
    off = [firm, *sorted(loose, key=acts.index)]
    if len(off) == 1:  # one disc away and a move made beside it is what an adjusting hand looks like
        floor = [cell for cell in floor if all(cell not in _cells(m.act) for m in evening.lines())]
    flew = {cell: evening.hands.lies[cell] for cell in off}
    for cell in off:
        evening.hands.take(cell, evening.now + evening.luck.uniform(0.0, 0.1))
    for cell in evening.luck.sample(floor, min(len(floor), evening.luck.randint(0, 2))):
        evening.hands.place(cell, evening.luck.choice(sorted(evening.game.faces)), evening.now + 0.12)
    evening.now += 0.2
    evening.rest(evening.luck.uniform(0.0, 4.0) if evening.luck.random() < 0.3 else 0.0)
    for cell in reversed(off):
        evening.now = evening.hands.place(cell, flew[cell] or "", evening.now)
        evening.wait(quick=True)
    for cell in [c for c in evening.discs() if c not in evening.position.pieces]:
        evening.wait()
        evening.now = evening.hands.take(cell, evening.now)


def refused(evening: Evening) -> None:
    """Somebody says what cannot be."""
    words = ["brax", "resign nobody", "z9", "trust z9", "keep"]
    words += [] if _must_pass(evening.position) else ["pass", "ok"]
    words += ["undo"] if evening.setup.policy == "tournament" else []
    evening.say(evening.luck.choice(words))


def lost(evening: Evening) -> None:
    """The cable is out for a while, and nobody does anything."""
    evening.hands.lose(evening.now)
    evening.now += evening.luck.uniform(0.05, 5.0)
    evening.hands.restore(evening.now)


def last_placed(evening: Evening) -> Cell | None:
    """Where the disc placed last lies."""
    return next((ply.move.act[0].cell for ply in reversed(evening.plies) if ply.move.act), None)


class Habit(NamedTuple):
    """Something hands do, and when it makes sense on this board."""

    act: Callable[..., None]
    fits: Callable[[Evening], bool] = lambda _: True


def _polarity(evening: Evening) -> bool:
    return evening.setup.sensors == "polarity"


def _shows_turns(evening: Evening) -> bool:
    return evening.setup.sensors != "presence"


def _sees(evening: Evening) -> bool:
    return evening.hands.see


def _has_moves(evening: Evening) -> bool:
    return not _must_pass(evening.position)


def _may_undo(evening: Evening) -> bool:
    return evening.setup.policy != "tournament"


def _may_undo_by_hand(evening: Evening) -> bool:
    return _may_undo(evening) and evening.hands.see


HOW: Mapping[str, Habit] = {
    "flips-first": Habit(flips_first),
    "wrong-side": Habit(wrong_side, lambda e: _polarity(e) and _has_moves(e)),
    "slide": Habit(sliding, _sees),
    "said": Habit(said),
    "stray-beside": Habit(with_a_stray, lambda e: _polarity(e) or _may_undo(e)),
    "too-much": Habit(turning_too_much),
    "turn-twice": Habit(turning_twice, _shows_turns),
    "hesitate": Habit(hesitating),
    "answer-at-once": Habit(answered_at_once),
    "answer-and-turn": Habit(answered_and_turned, _sees),
    "answer-early": Habit(answered_early, _may_undo),
    "change-mind": Habit(changing_mind, _may_undo_by_hand),
    "change-mind-anyhow": Habit(changing_mind_anyhow, _may_undo_by_hand),
    "undo-by-hand": Habit(undone_by_hand, _may_undo_by_hand),
    "undo-plies-by-hand": Habit(plies_undone_by_hand, _may_undo_by_hand),
    "undo-plies-anyhow": Habit(plies_undone_by_hand_anyhow, _may_undo_by_hand),
    "undo-by-word": Habit(undone_by_word, _may_undo),
    "while-lost": Habit(while_lost, _sees),
}
BEFORE: Mapping[str, Habit] = {
    "adjust": Habit(adjusting),
    "hold": Habit(holding, _sees),
    "stray": Habit(stray, _has_moves),
    "turn-and-back": Habit(turned_and_back, _shows_turns),
    "knock": Habit(knocked, _sees),
    "knock-anyhow": Habit(knocked_anyhow, _sees),
    "refused": Habit(refused),
    "lost": Habit(lost),
}
ALWAYS = ("bounce", "blip", "two-hands")
HABITS = (*ALWAYS, *BEFORE, *HOW)
"""Everything clumsy that hands can do."""
