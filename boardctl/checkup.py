"""A check-up, `boardctl doctor`: the configuration, the board file, and the machine that both are for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import platformdirs

from boardctl import config
from boardctl.config import Fault, Settings, WrongConfig
from boardctl.plugins import PluginBroken, found
from hardware import doctor
from hardware.doctor import Case, Finding, Machine

__all__ = ["Finding", "checked"]


def checked(
    board: str | None, file: Path | None, *, light: bool = False, machine: Machine | None = None
) -> Iterator[Finding]:
    """All there is to say of this machine, a board (its file, or a preset) and a configuration, line by line.

    Without a board, the wired one of the configuration is looked at. `light`: its pixels are lit in turn, last.
    `machine`: another one than that we run on.
    """
    settings, of_config = _configuration(file)
    wired, of_board = doctor.read(board or settings.board.file)
    yield from doctor.findings(Case(machine or doctor.this_machine(), wired, str(_state(settings))))
    yield from of_board
    yield from of_config
    if light:
        yield doctor.lit(wired)


def _configuration(file: Path | None) -> tuple[Settings, list[Finding]]:
    """The settings of a file, those that hold without one, and what is to be said of it."""
    if file is None:
        skipped = Finding("configuration", "skip", "none is named; --config FILE looks at one", None)
        return Settings(), [skipped]
    try:
        settings = config.read(file, found())
    except WrongConfig as fault:
        return Settings(), doctor.faulty("configuration", str(file), fault.faults)
    except PluginBroken as fault:
        what, _, remedy = str(fault).partition("; ")
        return Settings(), doctor.faulty("configuration", str(file), [Fault("game.name", what, remedy)])
    kind = "simulated" if settings.board.file is None else "wired"
    fine = f"{file}: {settings.game.name} on a {kind} board"
    return settings, [Finding("configuration", "ok", fine, None)]


def _state(settings: Settings) -> Path:
    folder = settings.state.folder
    return platformdirs.user_state_path("boardctl") if folder is None else Path(folder)
