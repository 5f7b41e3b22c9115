"""The part of hardware/README.md that tells of every key of a board file, written from its form; and its drawings.

`python -m tests.hardware.readme` writes both; tests check that they are current.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import get_args, get_origin

from pydantic.fields import FieldInfo

from hardware.board_file import (
    BUTTONS,
    BoardFile,
    Grid,
    LinesWiring,
    MatrixWiring,
    MultiplexedWiring,
    Pixels,
    Place,
    SerialWiring,
    Wired,
    found,
    read,
)
from hardware.toml_form import Part, allowed
from hardware.wiring import drawing

FOLDER = Path(__file__).parents[2] / "hardware"
README = FOLDER / "README.md"
DRAWN = ("reed-8x8", "hall-8x8")
"""The presets whose drawings `boardctl wiring` makes for the README."""
BEGIN, END = "<!-- keys:begin -->", "<!-- keys:end -->"
WRITTEN = "<!-- Written by `python -m tests.hardware.readme`: change the program, not these lines. -->"
SHAPES: Mapping[str, type[Part]] = {
    "matrix": MatrixWiring,
    "lines": LinesWiring,
    "multiplexed": MultiplexedWiring,
    "serial": SerialWiring,
}


def section() -> str:
    """All that stands between the marks."""
    return "\n\n".join([WRITTEN, *_parts()])


def _parts() -> Iterator[str]:
    fields = BoardFile.model_fields
    yield f'At the top of the file: `name`, {allowed(fields["name"])}. {fields["name"].description} Default: `"board"`.'
    yield f"**`[grid]`**: {_first(Grid)}\n\n{_table(Grid.model_fields)}"
    yield f"**`[place]`**: {_first(Place)}\n\n{_table(Place.model_fields)}"
    yield f"**`[sensors]`**, whatever the wiring:\n\n{_table(Wired.model_fields)}"
    for wiring, shape in SHAPES.items():
        own = {
            key: field
            for key, field in shape.model_fields.items()
            if key not in (*Wired.model_fields, "wiring")
        }
        yield f'**`[sensors]` with `wiring = "{wiring}"`**: {_first(shape)}\n\n{_table(own)}'
    words = f"A word is {', '.join(BUTTONS)}, or an answer of the game: in Flip Switch heart, square, star, nothing."
    yield f"**`[panel]`**: {fields['panel'].description}\n{words}"
    yield f"**`[pixels]`**: {_first(Pixels)} Without it, the board has no lights.\n\n{_table(Pixels.model_fields)}"


def _first(part: type[Part]) -> str:
    return (part.__doc__ or "").splitlines()[0]


def _table(fields: Mapping[str, FieldInfo]) -> str:
    rows = [
        (f"`{key}`", _default(field), _allowed(field), field.description or "What they tell: always this.")
        for key, field in fields.items()
    ]
    return _lines([("key", "default", "allowed", "what it is"), ("---",) * 4, *rows])


def _lines(rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "none: has to be there"
    return "" if field.default is None else f"`{json.dumps(field.default)}`"


def _allowed(field: FieldInfo) -> str:
    """As faults say it; of a list, what each entry may be."""
    kinds = [kind for kind in (field.annotation, *get_args(field.annotation)) if get_origin(kind) is list]
    if not kinds:
        return allowed(field)
    return f"a list, each {allowed(FieldInfo.from_annotation(get_args(kinds[0])[0]))}"


def current(text: str) -> str:
    """The README with that part as it should be. Raises `ValueError` where the marks are missing."""
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"hardware/README.md needs the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{section()}\n{END}{after}"


def drawings() -> dict[Path, str]:
    """The drawings that the program makes, and where they lie."""
    return {FOLDER / "drawings" / f"{name}.svg": drawing(read(found(name))) for name in DRAWN}


if __name__ == "__main__":
    README.write_text(current(README.read_text(encoding="utf-8")), encoding="utf-8")
    for path, svg in drawings().items():
        path.write_text(svg, encoding="utf-8")
