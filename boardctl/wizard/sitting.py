"""One maker at one board: the course of questions, the files that come of it, and hands on a simulated board.

The terminal and the page only show a sitting and pass on what is said. Every answer is kept beside the file at once,
so that one may stop and go on another day.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hardware import board_file, certificate
from hardware.board_file import BoardFile, NoBoard, SerialWiring, named, spot_named
from hardware.course import HOLD_S, Answer, Course, Found, listening
from hardware.learning import Sensor
from hardware.lights import DARK, Pixel
from hardware.neopixels import NeoPixels, NoStrip, facts
from hardware.scanner import Scanner
from hardware.shuffled import Faults, Shuffled, by_chance
from hardware.strip import Strip
from hardware.wired import bare_sensors

LOOK_S = 0.02
"""Seconds between two looks at the board."""
WHITE: Pixel = (60, 60, 60)
RED: Pixel = (90, 0, 0)
SHORT = {"b": "back", "s": "skip", "d": "dark", "r": "red", "g": "green", "q": "stop", "quit": "stop"}
"""What may be typed instead of a word."""


class CannotWrite(OSError):
    """A file that the wizard is to write: why not, and what to do, parted by a semicolon."""


class Files(NamedTuple):
    """What a sitting writes: the board file, and beside it the answers until it is done and the certificates."""

    board: Path
    force: bool

    @property
    def answers(self) -> Path:
        """The answers of a course that is not done."""
        return self.board.with_name(f"{self.board.name}.answers")

    @property
    def certificate(self) -> Path:
        """The certificate as text; as HTML it has that suffix."""
        return self.board.with_name(f"{self.board.stem}-certificate.txt")


class Chance(NamedTuple):
    """How chance wires a simulated board."""

    seed: int
    faulty: bool


class Sitting:
    """One maker at one board."""

    def __init__(
        self,
        board: BoardFile,
        scanner: Scanner,
        strip: Strip | None,
        files: Files,
        day: str,
        note: str | None = None,
    ) -> None:
        """`strip`: None where no pixel can be lit, and then `note` says why; `day` stands in what is written."""
        self.board, self.files, self.day = board, files, day
        self.bench = scanner if isinstance(scanner, Shuffled) else None
        self.found: Found | None = None
        self.said = note or ""
        """The last sentence about what was learnt."""
        self._silent = self._dark = False
        self._scanner, self._strip = scanner, strip
        self._simulated_s = 0.0
        answers = _kept(files.answers, board)
        if answers:
            self.said = f"Going on after {len(answers)} answers. {files.answers} keeps them."
        self.course = Course(board, lit=strip is not None, answers=answers)
        self.said = f"{self.said}{self._light()}".strip()
        if self.bench is not None:
            self._waited()  # nothing lies there, and that is seen

    @property
    def ask(self) -> str:
        """The sentence that says what to do now."""
        step = self.course.step
        if step is None:
            return self._over()
        return step.say

    def _over(self) -> str:
        return f"Done: {certificate.verdict(self.found)}" if self.found else "Done."

    @property
    def stopped(self) -> str:
        """What is said when one stops before the end."""
        return f"Stopped. The same command goes on from here; {self.files.answers} keeps the answers."

    @property
    def ending(self) -> list[str]:
        """The last lines: what was found and written, or how to go on."""
        if self.found is None:
            return [self.stopped]
        told = [f"  {each}" for each in (*self.found.findings, *self.found.notes)]
        written = f"Written: {self.files.board}, {self.files.certificate} and the same as .html."
        return [certificate.verdict(self.found), *told, written]

    def look(self, now: float) -> str | None:
        """One look at the board, at `now` (seconds on any clock). What it taught, if anything."""
        if self.bench is not None:
            now = self._simulated_s = self._simulated_s + LOOK_S
        return self._looked(now)

    def _looked(self, now: float) -> str | None:
        if self.course.step is None:
            return None
        try:
            seen = self._scanner.scan()
        except Exception as fault:  # whatever a driver raises, it may come back
            return self._lost(fault)
        self._silent = False
        return self._heard(self.course.look(seen.pieces | seen.tails, now, self._away))

    def _lost(self, fault: Exception) -> str | None:
        """Said once, until the sensors are back."""
        if self._silent:
            return None
        self._silent = True
        self.said = (
            f"The sensors do not answer: {fault}. Look at the cable; the wizard goes on when they are back."
        )
        return self.said

    def _away(self, sensor: Sensor) -> float:
        away: Callable[[Sensor], float] | None = getattr(self._scanner, "away", None)
        return 0.0 if away is None else away(sensor)

    def say(self, word: str) -> str:
        """Somebody says or types something. The answer in a sentence."""
        word = SHORT.get(word.strip().lower(), word.strip().lower())
        if (spot := self._spot(word)) is not None and self.bench is not None:
            return self._touch(self.bench, spot)
        return self._heard(self.course.say(word)) or ""

    def _spot(self, word: str) -> board_file.Spot | None:
        try:
            spot = spot_named(word)
        except ValueError:
            return None
        return spot if spot in self.board.grid.spots else None

    def _touch(self, bench: Shuffled, spot: board_file.Spot) -> str:
        """A hand on the simulated board: pieces that prove diodes stay, others are taken off again."""
        if self.course.step is not None and "done" in self.course.step.words:
            lies = spot in bench.lying
            bench.clear(spot) if lies else bench.touch(spot)
            return (
                f"{named([spot])[0]} {'is taken off' if lies else 'is laid'}. {self._waited() or ''}".strip()
            )
        if self.course.step is not None and "green" in self.course.step.words:
            return "Say red or green first."
        bench.clear()
        self._waited()
        bench.touch(spot)
        said = self._waited()
        bench.clear()
        self._waited()
        return said or f"Nothing answers at {named([spot])[0]}. If that is the cell asked for, say skip."

    def _waited(self) -> str | None:
        """What was learnt while simulated time went by, long enough for a touch to count."""
        said = None
        for _ in range(2):
            self._simulated_s += 2 * HOLD_S
            said = self._looked(self._simulated_s) or said
        return said

    def _heard(self, said: str | None) -> str | None:
        if said:
            _keep(self.files.answers, self.board, self.course.answers)
            self.said = said = f"{said}{self._light()}"
            if self.course.step is None and self.found is None:
                self._write()
        return said

    def _light(self) -> str:
        """Show what is asked. What to add to the sentence, if that cannot be seen."""
        if self._strip is None or self.board.pixels is None:
            return ""
        step = self.course.step
        lit = range(0) if step is None else step.pixels
        paint = RED if step is not None and "green" in step.words else WHITE
        try:
            self._strip.write([paint if n in lit else DARK for n in range(self.board.pixels.count)])
        except Exception as fault:  # whatever a driver raises, the sensors may still be learnt
            told, self._dark = self._dark, True
            return "" if told else f" The lights do not answer: {fault}. Say dark where nothing glows."
        self._dark = False
        return ""

    def _write(self) -> None:
        """Write everything, once it is known. Raises `CannotWrite`, `NotAsMeant`."""
        found = self.course.found()
        files = self.files
        try:
            certificate.written(found.board, files.board, self.day, force=files.force)
            files.certificate.write_text(
                certificate.text(found, files.board.name, self.day), encoding="utf-8"
            )
            files.certificate.with_suffix(".html").write_text(
                certificate.html(found, files.board.name, self.day), encoding="utf-8"
            )
        except OSError as fault:
            raise _unwritten(files.board, fault) from None
        files.answers.unlink(missing_ok=True)
        self.found = found

    def close(self) -> None:
        """Lets go of the board, dark."""
        self._scanner.close()
        if (
            self._strip is not None
            and not isinstance(self._strip, Shuffled)
            and self.board.pixels is not None
        ):
            with suppress(OSError):
                self._strip.write([DARK] * self.board.pixels.count)
            self._strip.close()


def _unwritten(file: Path, fault: OSError) -> CannotWrite:
    if isinstance(fault, FileExistsError):
        return CannotWrite(f"{file} is there already; --force writes over it")
    return CannotWrite(f"{file}: {fault.strerror or fault}; name a file that can be written with -o")


# The answers of an unfinished course


def _keep(file: Path, board: BoardFile, answers: Iterable[Answer]) -> None:
    """Write the answers whole or not at all."""
    text = json.dumps({"board": board.model_dump(mode="json"), "answers": list(answers)})
    part = file.with_name(f".{file.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(file)
    except OSError as fault:
        raise _unwritten(file, fault) from None


def _kept(file: Path, board: BoardFile) -> list[Answer]:
    """The answers of an earlier run at the same board. Raises `CannotWrite` where they are another's."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        if said["board"] == board.model_dump(mode="json"):
            return [
                Answer(kind, tuple(sensors), word, moved) for kind, sensors, word, moved in said["answers"]
            ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise CannotWrite(f"{file} has the answers of another board; take it away, or name another file with -o")


# A sitting at a board


@contextmanager
def sitting(name: str | None, file: Path | None, chance: Chance | None, *, force: bool) -> Iterator[Sitting]:
    """A sitting at a real board or, with `chance`, at a simulated one.

    Raises `WrongFile`, `NoBoard`, `CannotWrite`.
    """
    board = board_file.read(board_file.found(name or "reed-8x8"))
    if isinstance(board.sensors, SerialWiring):
        raise NoBoard(
            "the sensors of this board are on a cable; its microcontroller is told how they are wired"
        )
    files = Files(file or Path(f"{Path(name or 'reed-8x8').stem}-wired.toml"), force)
    if files.board.exists() and not force:
        raise CannotWrite(f"{files.board} is there already; --force writes over it")
    if not files.board.absolute().parent.is_dir():
        raise CannotWrite(f"{files.board}: there is no such folder; name a file that can be written with -o")
    scanner, strip, note = (
        (bare_sensors(listening(board)), *_strip(board)) if chance is None else _bench(board, chance)
    )
    try:
        made = Sitting(board, scanner, strip, files, datetime.now().astimezone().date().isoformat(), note)
    except BaseException:
        scanner.close()
        raise
    try:
        yield made
    finally:
        made.close()


def _bench(board: BoardFile, chance: Chance) -> tuple[Scanner, Strip | None, str | None]:
    faults = by_chance(board, chance.seed) if chance.faulty else Faults()
    bench = Shuffled(board, chance.seed, faults)
    return bench, bench if board.pixels is not None else None, None


def _strip(board: BoardFile) -> tuple[Strip | None, str | None]:
    """The strip, or none and why: the cells are named in words then."""
    if board.pixels is None:
        return None, None
    try:
        return NeoPixels(board.pixels, facts()), None
    except NoStrip as fault:
        return None, f"No lights: {fault}."
