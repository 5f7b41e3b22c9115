"""What the wizard writes: the board file, with no more keys than it needs, and the certificate beside it.

The certificate is one page, as text and as HTML with the drawing of the wiring: what was found at every cell, what
is wrong and where to look, every pin. The day is the caller's to say.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from hardware import wiring
from hardware.board_file import BoardFile, Grid, named, read, sensor_spots
from hardware.course import Found, place


class NotAsMeant(RuntimeError):
    """A board file that does not read back as what was written."""


def toml(board: BoardFile, day: str) -> str:
    """A board as its file: only what differs from the defaults."""
    said = board.model_dump(exclude_defaults=True)
    lines = [f"# Written by boardctl wizard on {day}. Only what differs from the defaults is said."]
    lines += [f"{key} = {_value(value)}" for key, value in said.items() if not isinstance(value, dict)]
    for key, part in said.items():
        if isinstance(part, dict):
            lines += ["", f"[{key}]", *(f"{_key(name)} = {_value(value)}" for name, value in part.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name.isascii() else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def written(board: BoardFile, file: Path, day: str, *, force: bool) -> None:
    """Write a board file whole or not at all, once it has read back as the same board.

    Raises `FileExistsError` unless `force`, OSError where it cannot be written, `NotAsMeant`.
    """
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-", suffix=".toml")
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as text:
            text.write(toml(board, day))
        if read(draft) != board:
            raise NotAsMeant(f"{file} would not read back as the board that was learnt")
        draft.chmod(0o644)
        if force:
            draft.replace(file)
        else:
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def text(found: Found, file: str, day: str) -> str:
    """The certificate as text."""
    return "\n".join(
        [
            f"Wiring certificate: {found.board.name}",
            f"{day}, for {file}",
            "",
            verdict(found),
            *(f"  - {finding}" for finding in found.findings),
            *found.notes,
            "",
            "cell  hangs on",
            *(f"{cell:>4}  {where}" for cell, where in _cells(found)),
            "",
            wiring.told(found.board),
            "",
        ]
    )


def verdict(found: Found) -> str:
    """The whole in a sentence."""
    cells = len(found.board.grid.spots)
    faults = len(found.findings)
    answered = f"{len(found.learnt.sensors)} of {cells} cells answer"
    return f"{answered}; {faults} fault{'' if faults == 1 else 's'}" + (":" if faults else " found.")


def _cells(found: Found) -> Iterator[tuple[str, str]]:
    order = {spot: number for number, spot in enumerate(sensor_spots(found.board))}
    for spot in found.board.grid.spots:
        where = place(found.board, order[spot])
        dead = "" if spot in found.learnt.sensors else ": no answer"
        yield named([spot])[0], where + dead


def html(found: Found, file: str, day: str) -> str:
    """The certificate as one page of HTML, to be printed and kept with the board."""
    faults = "".join(f"<li>{escape(finding)}" for finding in (*found.findings, *found.notes))
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wiring certificate: {escape(found.board.name)}</title>
<style>
body {{ max-width: 60rem; margin: 1rem auto; padding: 0 1rem; font: 14px/1.4 sans-serif }}
body {{ color: #222; background: #fff }}
table {{ border-collapse: collapse; font-size: 11px }}
td, th {{ border: 1px solid #bbb; padding: 2px 4px; font-weight: 400 }}
.dead {{ background: #ffd9c2; font-weight: 700 }}
svg {{ width: 100%; height: auto; max-height: 24cm }}
</style>
<h1>Wiring certificate: {escape(found.board.name)}</h1>
<p>{escape(day)}, for {escape(file)}</p>
<p><strong>{escape(verdict(found))}</strong></p>
<ul>{faults}</ul>
{_table(found, found.board.grid)}
{wiring.drawing(found.board)}
<pre>{escape(wiring.told(found.board))}</pre>
</html>
"""


def _table(found: Found, grid: Grid) -> str:
    """The cells as they lie, each with where it hangs."""
    cells = list(_cells(found))
    rows = [cells[start : start + grid.columns] for start in range(0, len(cells), grid.columns)]
    return "<table>" + "".join(f"<tr>{''.join(_td(*cell) for cell in row)}" for row in rows) + "</table>"


def _td(cell: str, where: str) -> str:
    dead = ' class="dead"' if where.endswith("no answer") else ""
    return f"<td{dead}><b>{cell}</b><br>{escape(where).replace(', ', '<br>')}"
