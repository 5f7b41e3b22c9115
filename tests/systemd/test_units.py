"""The files in `systemd`: sound by systemd's own tools, as closed as promised, and true to the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardctl import cli, config, install
from boardctl.plugins import found
from tests.cli import readme

FILES = install.files()
SERVICE = FILES["boardctl.service"]
NETWORK, PWM = "boardctl.service.d/network.conf", "boardctl.service.d/pwm.conf"
UNITS = ("boardctl.service", "boardctl.socket")
needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is missing: apt install systemd. The units were NOT verified",
)


def laid(folder: Path, *drop_ins: str, **changed: str) -> Path:
    """The units in a folder of their own, with an executable that exists; `changed`: other texts by unit kind."""
    for name in (*UNITS, *drop_ins):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        text = changed.get(Path(name).suffix[1:], FILES[name])
        file.write_text(text.replace(str(install.PROGRAM), sys.executable))
    return folder


def analysed(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def verified(folder: Path) -> tuple[int, str]:
    done = analysed(folder, "verify", "--recursive-errors=no", *(f"./{name}" for name in UNITS))
    return done.returncode, done.stdout + done.stderr


COMBINATIONS: Sequence[tuple[tuple[str, ...], float]] = [
    ((), 0.6),
    ((NETWORK,), 1.5),
    ((PWM,), 1.1),
    ((NETWORK, PWM), 2.2),
]
"""Which drop-ins, and the exposure that README.md promises; the page is served with all of them."""


@needs_analyze
@pytest.mark.parametrize(("drop_ins", "most"), COMBINATIONS)
def test_the_units_are_sound_and_as_closed_as_promised(
    tmp_path: Path, drop_ins: tuple[str, ...], most: float
) -> None:
    laid(tmp_path, *drop_ins)
    assert verified(tmp_path) == (0, "")
    assert exposure(tmp_path) <= most


def test_the_readme_promises_these_exposures() -> None:
    section = readme.README.read_text(encoding="utf-8").partition("## As a service")[2].partition("\n## ")[0]
    shown = [float(number) for number in re.findall(r"(?<![\d.])\d\.\d(?![\d.])", section)]
    assert [most for _, most in COMBINATIONS[:3]] == shown


def exposure(folder: Path) -> float:
    """What systemd-analyze says last: the overall exposure."""
    done = analysed(folder, "security", "--offline=true", "--no-pager", "./boardctl.service")
    told = re.search(r"Overall exposure level for boardctl\.service: ([0-9.]+)", done.stdout)
    assert told, done.stdout + done.stderr
    return float(told[1])


@needs_analyze
@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("service", SERVICE.replace("WatchdogSec", "WatchDogSec"), "'WatchDogSec'"),
        (
            "service",
            SERVICE.replace("SystemCallFilter=@system", "SystemCallFilter=@sistem"),
            "@sistem-service",
        ),
        ("socket", "[Socket]\nListenStream=nowhere:x\n", "nowhere:x"),
    ],
)
def test_a_fault_in_a_unit_would_be_seen(tmp_path: Path, kind: str, text: str, fault: str) -> None:
    status, said = verified(laid(tmp_path, **{kind: text}))
    assert status != 0
    assert fault in said


@needs_analyze
def test_a_line_less_of_hardening_would_be_seen(tmp_path: Path) -> None:
    whole = exposure(laid(tmp_path))
    for line in (
        "PrivateNetwork=yes",
        "RestrictAddressFamilies=AF_UNIX",
        "DynamicUser=yes",
        "DevicePolicy=closed",
    ):
        assert f"\n{line}\n" in SERVICE
        assert exposure(laid(tmp_path, service=SERVICE.replace(line, ""))) > whole, line


def values(text: str, key: str) -> list[str]:
    """All that a unit says of a key, in order."""
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def test_a_wrong_configuration_is_not_tried_again() -> None:
    assert values(SERVICE, "RestartPreventExitStatus") == [str(cli.WRONG_CALL)]


def test_the_service_runs_the_command_there_is_with_the_configuration_that_is_installed() -> None:
    (start,) = values(SERVICE, "ExecStart")
    assert start.replace("%E", "/etc") == f"{install.PROGRAM} run --config {install.PLACES['boardctl.toml']}"


def test_pixels_are_put_out_after_every_end() -> None:
    (stop,) = values(SERVICE, "ExecStopPost")
    assert f"exec {install.PROGRAM} dark %E/boardctl/board.toml" in stop


def test_the_page_is_where_the_program_would_open_it() -> None:
    page = config.WebPart()
    assert values(FILES["boardctl.socket"], "ListenStream")[-1:] == [f"{page.host}:{page.port}"]


def test_every_group_the_service_joins_is_made() -> None:
    (groups,) = values(SERVICE, "SupplementaryGroups")
    made = [
        line.split() for line in FILES["boardctl.sysusers.conf"].splitlines() if line[:1] not in ("", "#")
    ]
    assert made == [["g", group, "-"] for group in groups.split()]


def test_the_configuration_installed_plays_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "boardctl.toml"
    file.write_text(FILES["boardctl.toml"])
    assert config.read(file, found()) == config.Settings()


ASSIGNMENT = re.compile(
    r'(SUBSYSTEMS?|KERNEL|ATTR\{\w+\}|ENV\{\w+\})=="[^"]+"'
    r'|IMPORT\{builtin\}="usb_id"|(GROUP|MODE|ENV\{\w+\})="[^"]+"|SYMLINK\+="boardctl"'
)


def test_every_udev_rule_matches_something_and_does_something() -> None:
    (groups,) = values(SERVICE, "SupplementaryGroups")
    rules = [line for line in FILES["60-boardctl.rules"].splitlines() if line and not line.startswith("#")]
    for rule in rules:
        parts = rule.split(", ")
        assert all(ASSIGNMENT.fullmatch(part) for part in parts), rule
        assert "==" in parts[0] and "==" not in parts[-1], rule
        assert set(re.findall(r'GROUP="(\w+)"', rule)) <= set(groups.split())
    assert sum("SYMLINK" in rule for rule in rules) == 1
