"""Pins of this machine: what loading the real lgpio leaves behind, and what is said where it does not load."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os
from hardware.board_file import NoBoard
from hardware.wired import lgpio_factory
try:
    lgpio_factory()
except NoBoard as fault:
    print(fault)
folder = os.environ["LG_WD"]
print(folder)
print(sorted(os.listdir(folder)) if os.path.isdir(folder) else None)
"""

pytestmark = pytest.mark.skipif(
    find_spec("lgpio") is None, reason="lgpio has no wheel for this Python: its folder was NOT looked at"
)


def run(folder: Path, lg_wd: str | None) -> list[str]:
    """What the program prints that asks for pins in this folder, on a machine without any."""
    environment = {key: value for key, value in os.environ.items() if key not in ("LG_WD", "LD_PRELOAD")}
    environment |= {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir()
    (folder / "here").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder / "here",
        env=environment if lg_wd is None else environment | {"LG_WD": lg_wd},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines()


def test_the_pipe_of_lgpio_lies_in_a_folder_of_its_own_and_both_are_gone_at_the_end(tmp_path: Path) -> None:
    why, folder, there = run(tmp_path, None)
    assert why.startswith("the pins cannot be used (")
    assert Path(folder).parent == tmp_path / "tmp"
    assert ".lgd-nfy0" in there
    assert [*(tmp_path / "tmp").iterdir(), *(tmp_path / "here").iterdir()] == []


def test_a_folder_that_was_chosen_for_lgpio_is_kept(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    _, folder, _ = run(tmp_path, str(chosen))
    assert folder == str(chosen)
    assert [path.name for path in chosen.iterdir()] == [".lgd-nfy0"]
    assert list((tmp_path / "here").iterdir()) == []


def test_a_chosen_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    why, *_ = run(tmp_path, "/nowhere")
    assert why == (
        "the library for pins does not load ([Errno 2] No such file or directory: '.lgd-nfy-3'); "
        "boardctl doctor says why"
    )
