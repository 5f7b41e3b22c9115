"""The conformance cases: every trace in `cases` is judged as its expect file says.

`cases/check.py` is the yardstick and stays as it came. Its judgement is used as it is: in this process on every
case, and as a stranger would run it, on the installed command, on some.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from boardctl.cli import main
from tests.cases.check import faults

TESTS = Path(__file__).parent
CASES = {file.name.removesuffix(".trace.jsonl"): file for file in sorted(TESTS.glob("cases/*/*.trace.jsonl"))}
DISPUTED = tomllib.loads((TESTS / "disputed.toml").read_text(encoding="utf-8"))["disputed"]
SOME = [CASES["malformed-line"], *[file for name, file in CASES.items() if name not in DISPUTED][::8]]


def _case(name: str):
    """The case as a parameter; a disputed one has to fail, and its reason is reported."""
    reason = f"disputed: {DISPUTED.get(name)}"
    marks = [pytest.mark.xfail(reason=reason, strict=True, raises=AssertionError)] if name in DISPUTED else []
    return pytest.param(CASES[name], id=name, marks=marks)


@pytest.mark.parametrize("trace", [_case(name) for name in CASES])
def test_a_case_is_judged_as_expected(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expect = json.loads(trace.with_name(f"{trace.name.removesuffix('.trace.jsonl')}.expect.json").read_text())
    with pytest.raises(SystemExit) as left:
        main(["replay", str(trace), "--json"])
    said = capsys.readouterr()
    assert (left.value.code, said.err.splitlines()[1:]) == (expect.get("exit", 0), []), said.err
    if not left.value.code:
        assert faults(expect, [json.loads(line) for line in said.out.splitlines()]) == [], expect["about"]


def test_every_disputed_case_is_there_and_has_a_reason() -> None:
    assert {name: reason for name, reason in DISPUTED.items() if name not in CASES or not reason} == {}


@pytest.mark.slow
def test_the_yardstick_passes_the_installed_command() -> None:
    boardctl = Path(sys.executable).with_name("boardctl")
    done = subprocess.run(
        [sys.executable, TESTS / "cases/check.py", "--quiet", "--boardctl", f"'{boardctl}'", *SOME],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (f"{len(SOME)} passed, 0 failed\n", "", 0)
