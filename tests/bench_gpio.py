"""What a scan of 64 switches costs, and a quiet board: the real lgpio on the simulated chip, four ways beside ours.

The chip answers each call at once; on a Pi a call costs more, so the number of calls is what carries over.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.gpiochip import chip as chips

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
WAYS = {
    "objects": "scan, gpiozero's devices",
    "states": "scan, gpiozero's pin.state",
    "singles": "scan, single reads of lgpio",
    "ours": "scan, ours: groups",
}


class Row(NamedTuple):
    """One measurement, as in `tests.bench`."""

    what: str
    aim: str
    measured: str
    reached: bool | None = None


def gpio_rows() -> Iterator[Row]:
    """A row for each way of scanning, then the part of a processor that a quiet and a busy board take."""
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


def _processor(library: Path, folder: Path) -> Iterator[Row]:
    for what, words, aim in (("a quiet board", (), "<= 1 % of a core"), ("a busy one", ("busy",), "")):
        part, scans = _chip(library, folder).run("idle", "10", *words)
        shown = f"{part:.1%} of a core, {scans:.0f} scans a second"
        yield Row(f"CPU for {what}", aim, shown, part <= 0.01 if aim else None)


if __name__ == "__main__":
    for row in gpio_rows():
        print(*row, sep="  |  ")
