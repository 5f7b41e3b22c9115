"""The wizard's course at one board: what is asked, one step after the other, what was answered, and what follows.

Pure: it is told what sensors see and what people say, and answers what to say and light next. All it knows is its
answers, so that one can go back, and stop and go on another day. `learning` draws the conclusions about cells and
strip, `ghosts` those about diodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, cast

from hardware.board_file import (
    BoardFile,
    LinesWiring,
    MatrixWiring,
    MultiplexedWiring,
    Pixels,
    Spot,
    named,
)
from hardware.ghosts import Ghosts, numbers, spread
from hardware.learning import Learnt, Lesson, Sensor
from hardware.lines import Line, of_matrix, of_multiplexers, whole
from hardware.rewired import WEAKEST, rewired

HOLD_S = 0.1
"""Seconds a touch has to stand before it counts."""
Kind: TypeAlias = Literal["clear", "colour", "felt", "skip", "dark", "diodes"]


class Answer(NamedTuple):
    """One answer: what kind, the sensors it is about, the colour seen, how far each sensor was moved."""

    kind: Kind
    sensors: tuple[Sensor, ...] = ()
    word: str = ""
    moved: float = 0.0


class Step(NamedTuple):
    """What is asked next."""

    say: str
    spot: Spot | None = None
    """The cell it is about, as far as that is known."""
    pixels: range = range(0)
    """The pixels of the strip to be lit."""
    words: tuple[str, ...] = ()
    """What may be answered in words, besides `back` and `stop`."""


class Found(NamedTuple):
    """What came out of the course."""

    board: BoardFile
    """The board as it is wired."""
    learnt: Learnt
    findings: tuple[str, ...]
    """What is wrong, each with the place to look."""
    notes: tuple[str, ...]
    """What was not looked at."""


class Touches:
    """Finds the touches in scans: what closes on an empty board and stands for a while, once until all is open."""

    def __init__(self) -> None:
        self.rest = 0
        """Sensors, as bits, that are closed whatever one does."""
        self.armed = False
        """Whether the board was seen empty since the last touch."""
        self.closed = 0
        self._since = float("-inf")

    def look(self, closed: int, now: float) -> tuple[Sensor, ...]:
        """One scan: the sensors of a touch, or none."""
        closed &= ~self.rest
        if closed != self.closed:
            self.closed, self._since = closed, now
        if now - self._since < HOLD_S:
            return ()
        touched = tuple(numbers(closed)) if self.armed else ()
        self.armed = not closed
        return touched

    def settled(self, now: float) -> bool:
        """Whether nothing has changed for as long as a touch takes."""
        return now - self._since >= HOLD_S


class Course:
    """One run through everything that can be asked at a board. `step` is what is asked; scans and words answer it."""

    def __init__(self, board: BoardFile, *, lit: bool, answers: Iterable[Answer] = ()) -> None:
        """`lit`: whether there are pixels that can be lit; `answers`: those of an earlier run."""
        self.board, self._lit = board, lit
        self.answers = list(answers)
        self._touches = Touches()
        self._ghosts = Ghosts(across(board))
        self._scanned: int | None = None
        self._full = False
        self._replay()

    def _replay(self) -> None:
        """Draw everything from the answers anew."""
        cells = len(self.board.grid.spots)
        pixels = cells if self._lit else 0
        self._lesson = Lesson(self.board.grid, shape(self.board), pixels)
        self._concluded: Learnt | None = None
        for answer in self.answers:
            self._taught(answer)

    @property
    def _learnt(self) -> Learnt:
        """What follows from the answers so far, drawn once."""
        if self._concluded is None:
            self._concluded = self._lesson.learnt()
        return self._concluded

    def _taught(self, answer: Answer) -> None:
        self._concluded = None
        match answer.kind:
            case "clear":
                self._touches.rest = spread(answer.sensors)
            case "felt":
                self._lesson.felt(answer.sensors)
            case "skip":
                self._lesson.skip()
            case "dark":
                self._lesson.unlit()

    def _answer(self, answer: Answer) -> None:
        self.answers.append(answer)
        self._taught(answer)

    # What is asked

    @property
    def step(self) -> Step | None:
        """What is asked for next; None when all is known."""
        return next(self._steps(), None)

    def _steps(self) -> Iterator[Step]:
        given = {answer.kind for answer in self.answers}
        if "clear" not in given:
            yield Step("Take everything off the board.", words=("skip",))
        if self._lit and "colour" not in given:
            yield Step(
                "The first light is on. Is it red or green?",
                pixels=self._under(0),
                words=("red", "green", "skip"),
            )
        if (ask := self._lesson.ask) is not None:
            where = ask.spot or self._lesson.foretold
            words = ("skip",) if ask.pixel is None else ("skip", "dark")
            yield Step(
                self._sentence(ask.spot),
                where,
                range(0) if ask.pixel is None else self._under(ask.pixel),
                words,
            )
        if has_diodes(self.board) and "diodes" not in given:
            yield Step(self._diode_sentence(), words=("done",))

    def _diode_sentence(self) -> str:
        known = spread(self._learnt.sensors.values())
        count = f"{self._proven} of {known.bit_count()} are proven."
        if known and not known & ~self._touches.closed:
            self._full = True
        if not self._full:
            return f"Now the diodes: lay pieces from A1 on, row after row, as many as you have. {count}"
        inner = named([(min(1, self.board.grid.columns - 1), min(1, self.board.grid.rows - 1))])[0]
        return f"Take off the piece on {inner}, then all others from A1 on. {count}"

    def _sentence(self, spot: Spot | None) -> str:
        where = named([spot])[0] if spot is not None else "the cell that is lit"
        if spot is None and (foretold := self._lesson.foretold) is not None:
            where += f", which should be {named([foretold])[0]}"
        match self.board.kind:
            case "presses":
                return f"Press {where}."
            case "polarity":
                return f"Lay a piece with heads up on {where}, and take it off."
        return f"Lay a piece on {where}, and take it off."

    def _under(self, number: int) -> range:
        pixels = cast(Pixels, self.board.pixels)
        first = pixels.first + number * pixels.per_cell
        return range(first, first + pixels.per_cell)

    @property
    def progress(self) -> tuple[int, int]:
        """How many touches are done, of how many."""
        return self._lesson.progress

    @property
    def known(self) -> Mapping[Spot, Sensor]:
        """The sensor under every cell that is known so far."""
        over = self._learnt.sensors if self._lesson.pairs else self._lesson.corners
        return dict(over)

    # What is answered

    def look(self, closed: int, now: float, away: Callable[[Sensor], float] = lambda _: 0.0) -> str | None:
        """One scan (bits): what was learnt from it, in a sentence, or None.

        `away`: how far from its rest a sensor reads now.
        """
        touched = self._touches.look(closed, now)
        if not self.answers:
            return self._cleared(now)
        if self._lesson.ask is None:
            return self._proof(now)
        if self._lit and not any(answer.kind == "colour" for answer in self.answers):
            return None
        return self._felt(touched, away) if touched else None

    def _cleared(self, now: float) -> str | None:
        if self._touches.closed or not self._touches.settled(now):
            return None
        self._answer(Answer("clear"))
        return "The board is empty."

    def _felt(self, touched: Sequence[Sensor], away: Callable[[Sensor], float]) -> str:
        taken = self._taken()
        ordered = tuple(sorted(touched, key=lambda sensor: (sensor in taken, sensor)))
        first = ordered[0]
        if first in taken:
            return f"That was {taken[first]} again."
        before = set(self.known)
        self._answer(Answer("felt", ordered, moved=round(away(first), 4)))
        new = [spot for spot, sensor in self.known.items() if sensor == first and spot not in before]
        name = named(new)[0] if new else "It"
        others = f", and {len(ordered) - 1} more answered" if len(ordered) > 1 else ""
        return f"{name} hangs on {place(self.board, first)}{others}."

    def _taken(self) -> dict[Sensor, str]:
        """The sensors that cannot be what is asked for, with whose they are."""
        lesson = self._lesson
        if lesson.ask is not None and lesson.ask.pixel is None:
            return {sensor: named([spot])[0] for spot, sensor in lesson.corners.items()}
        where = {sensor: named([spot])[0] for spot, sensor in self.known.items()}
        return {sensor: where.get(sensor, "an earlier cell") for sensor in lesson.pairs.values()}

    def _proof(self, now: float) -> str | None:
        """Pieces are laid: every scan that stands may prove or blame a diode."""
        if self.step is None or not self._touches.settled(now):
            return None
        before, after = self._scanned, self._touches.closed
        self._scanned = after
        proven = self._proven
        if before is not None:
            self._ghosts.look(before, after)
            self._ghosts.look(after, after)
        if self._proven == len(self._learnt.sensors):
            return self._proved()
        return None if proven == self._proven else f"{self._proven} diodes are proven."

    @property
    def _proven(self) -> int:
        return (self._ghosts.proven & spread(self._learnt.sensors.values())).bit_count()

    def _proved(self) -> str:
        blamed = [f"{suspect.number}:{suspect.fault}" for suspect in self._ghosts.likely]
        self._answer(Answer("diodes", tuple(numbers(self._ghosts.proven)), " ".join(blamed)))
        return f"{self._proven} diodes are proven."

    def say(self, word: str) -> str:
        """Somebody answers in words. What came of it, in a sentence."""
        step = self.step
        if word == "back":
            return self._back()
        if step is None or word not in step.words:
            return f"Say {_either([*(step.words if step else ()), 'back', 'stop'])}."
        if word == "done":
            return self._proved()
        if not self.answers:
            stuck = tuple(numbers(self._touches.closed))
            self._answer(Answer("clear", stuck))
            self._touches.armed = True
            return f"{len(stuck)} sensors read closed and are left out." if stuck else "The board is empty."
        if self._lit and not any(answer.kind == "colour" for answer in self.answers):
            self._answer(Answer("colour", word=word))
            return {"red": "The colours are right.", "green": "Red and green change places."}.get(
                word, "Left as it is."
            )
        self._answer(Answer("dark" if word == "dark" else "skip"))
        return "Noted as dark." if word == "dark" else "Noted as dead."

    def _back(self) -> str:
        if len(self.answers) < 2:
            return "This is the first step."
        self.answers.pop()
        self._ghosts, self._scanned, self._full = Ghosts(across(self.board)), None, False
        self._replay()
        return "One step back."

    # What follows

    def found(self) -> Found:
        """What the answers come to."""
        learnt = self._learnt
        board = rewired(self.board, learnt, self._moved(), self._colour())
        findings = (
            *self._stuck(),
            *learnt.findings,
            *self._diodes(learnt),
            *_turned(board, learnt, self._moved()),
        )
        return Found(board, learnt, findings, tuple(self._notes(learnt)))

    def _colour(self) -> str:
        return next((answer.word for answer in self.answers if answer.kind == "colour"), "")

    def _moved(self) -> dict[Sensor, float]:
        """How far from rest a piece moved each sensor."""
        return {answer.sensors[0]: answer.moved for answer in self.answers if answer.kind == "felt"}

    def _stuck(self) -> Iterator[str]:
        stuck = self._touches.rest
        if line := whole(lines_of(self.board), stuck):
            yield f"{line.subject} reads closed with nothing on the board. Look for a short to ground."
            stuck &= ~line.sensors
        for sensor in numbers(stuck):
            yield f"The sensor at {place(self.board, sensor)} reads closed with nothing on it. Look for a short there."

    def _diodes(self, learnt: Learnt) -> Iterator[str]:
        where = {sensor: named([spot])[0] for spot, sensor in learnt.sensors.items()}
        for answer in self.answers:
            for blamed in answer.word.split() if answer.kind == "diodes" else ():
                number, _, fault = blamed.partition(":")
                how = "is the wrong way round" if fault == "reversed" else "is missing or the wrong way round"
                cell = where.get(int(number), "A cell that does not answer")
                yield f"{cell}: its diode, at {place(self.board, int(number))}, {how}."

    def _notes(self, learnt: Learnt) -> Iterator[str]:
        proven = {sensor for answer in self.answers if answer.kind == "diodes" for sensor in answer.sensors}
        untested = [spot for spot, sensor in sorted(learnt.sensors.items()) if sensor not in proven]
        if has_diodes(self.board) and untested:
            yield f"Diodes not proven: {', '.join(named(untested))}."
        if not self._lit and self.board.pixels is not None:
            yield "The pixels could not be lit here; how they run is as the draft has it."


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


# The board and its sensors


def has_diodes(board: BoardFile) -> bool:
    """Whether its diodes can be proven: buttons are pressed one at a time, and nobody holds three."""
    return isinstance(board.sensors, MatrixWiring) and board.sensors.diodes and board.kind == "presence"


def shape(board: BoardFile) -> tuple[int, int] | None:
    """How many row and column lines the matrix has; None without one."""
    sensors = board.sensors
    return (len(sensors.rows), len(sensors.columns)) if isinstance(sensors, MatrixWiring) else None


def across(board: BoardFile) -> int:
    """The columns of the matrix; 1 without one."""
    return (shape(board) or (1, 1))[1]


def lines_of(board: BoardFile) -> Sequence[Line]:
    """All lines of a board that have several sensors."""
    match board.sensors:
        case MatrixWiring(rows=rows, columns=columns):
            return of_matrix(rows, columns)
        case MultiplexedWiring(channels=channels):
            return of_multiplexers(channels)
    return ()


def place(board: BoardFile, sensor: Sensor) -> str:
    """Where a sensor hangs: `row 4 (GPIO19), column 4 (GPIO22)`."""
    if isinstance(board.sensors, LinesWiring):
        return f"GPIO{board.sensors.pins[sensor]}"
    named_lines = ", ".join(line.name for line in lines_of(board) if line.sensors >> sensor & 1)
    return (
        f"input {sensor % 16} of {named_lines}"
        if isinstance(board.sensors, MultiplexedWiring)
        else named_lines
    )


def listening(board: BoardFile) -> BoardFile:
    """The board as the wizard listens to it: halls answer to weak magnets too."""
    if not isinstance(board.sensors, MultiplexedWiring):
        return board
    weak = {"threshold": WEAKEST, "thresholds": None, "hysteresis": WEAKEST / 3, "heads": "above"}
    return board.model_copy(update={"sensors": board.sensors.model_copy(update=weak)})


def _turned(board: BoardFile, learnt: Learnt, moved: Mapping[Sensor, float]) -> Iterator[str]:
    """Halls that read the other pole than most."""
    if isinstance(board.sensors, MultiplexedWiring):
        for spot, sensor in sorted(learnt.sensors.items()):
            if moved.get(sensor) and (moved[sensor] > 0) != (board.sensors.heads == "above"):
                yield f"{named([spot])[0]} reads the other pole than most: its hall lies upside down. Turn it over."
