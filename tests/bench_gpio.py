"""What a wired board costs: a scan of 64 switches, a frame of 64 pixels, and the processor on a quiet board.

The real lgpio runs on the simulated chip, in our way and in three others. The chip answers each call at once; on a Pi
a call costs more, so the number of calls is what carries over.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from boardctl.core.commands import Debt, Light
from hardware.board_file import found, pixel_spots, read
from hardware.legend import Palette
from hardware.neopixels import Facts, NeoPixels
from hardware.strip import StripLights
from tests.gpiochip import chip as chips

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
WAYS = {
    "objects": "scan, gpiozero's devices",
    "states": "scan, gpiozero's pin.state",
    "singles": "scan, single reads of lgpio",
    "ours": "scan, ours: groups",
}


class Row(NamedTuple):
    """One measurement: what, what is aimed at, what came out, and whether that is reached (None: nothing to reach)."""

    what: str
    aim: str
    measured: str
    reached: bool | None = None


def gpio_rows() -> Iterator[Row]:
    """A row for each way of scanning, for frames, then the part of a processor that a quiet and a busy board take."""
    yield from _frames()
    if why := chips.missing():
        yield Row("scan on the simulated chip", "", why)
        return
    with tempfile.TemporaryDirectory() as folder:
        library = chips.built(Path(folder))
        yield from _scans(library, Path(folder))
        yield from _processor(library, Path(folder))


def _chip(library: Path, folder: Path) -> chips.Chip:
    chip = chips.Chip(library, folder)
    chip.matrix(ROWS, COLUMNS)
    return chip


def _scans(library: Path, folder: Path) -> Iterator[Row]:
    for way, what in WAYS.items():
        calls, taken = _chip(library, folder).run("cost", way)
        aimed = way == "ours"
        yield Row(
            what,
            "<= 17 calls, <= 15 us" if aimed else "",
            f"{calls} calls, {taken:.1f} us",
            (calls <= 17 and taken <= 15) if aimed else None,
        )
    full = _chip(library, folder)
    chips.close(full.state, range(64))
    calls, taken = full.run("cost", "settled")
    yield Row("scan, ours, a full board, with 30 us a row to settle", "", f"{calls} calls, {taken:.0f} us")


ZERO = Facts("Raspberry Pi Zero 2 W Rev 1.0", False, frozenset(), frozenset({"/dev/spidev0.0"}))


def _frames() -> Iterator[Row]:
    """From lights, and from pixels, to the bytes that the real `neopixel.NeoPixel` hands to its driver."""
    os.environ["BLINKA_OS_AGNOSTIC"] = "1"
    import neopixel

    sent: list[bytes] = []
    neopixel.neopixel_write = lambda _, buffer: sent.append(bytes(buffer))
    board = read(found("reed-8x8"))
    assert board.pixels is not None
    strip = NeoPixels(board.pixels, ZERO)
    pixels = [(n, 2 * n, 3 * n) for n in range(64)]
    yield Row("frame of 64 pixels to bytes", "", f"{_best(lambda: strip.write(pixels)):.0f} us")
    under = {f"{chr(97 + x)}{y + 1}": each for (x, y), each in pixel_spots(board).items()}
    lights = StripLights(strip, 64, under, Palette(("black", "white")))
    breathing, clock = dict.fromkeys(under, Light("owed", Debt("turn", "black"))), iter(range(10_000))
    before = len(sent)
    each = _best(lambda: lights.show(breathing, next(clock) / 20))
    assert len(sent) > before + 400, "not every call sent a frame"
    yield Row("frame of 64 lights that breathe to bytes", "", f"{each:.0f} us")


def _best(work: Callable[[], object], times: int = 100) -> float:
    """Microseconds of one call, the best of five runs."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            work()
        runs.append((time.perf_counter() - start) / times * 1e6)
    return min(runs)


def _processor(library: Path, folder: Path) -> Iterator[Row]:
    for what, words, aim in (("a quiet board", (), "<= 1 % of a core"), ("a board at play", ("busy",), "")):
        part, scans = _chip(library, folder).run("idle", "10", *words)
        shown = f"{part:.1%} of a core, {scans:.0f} scans a second"
        yield Row(f"CPU for {what}", aim, shown, part <= 0.01 if aim else None)


if __name__ == "__main__":
    for row in gpio_rows():
        print(*row, sep="  |  ")
