"""`install-service` and `uninstall-service`: the steps are shown before they are taken, and taken back exactly."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from boardctl import install
from tests.cli.command import Ran

PROGRAM = ("--program", "/opt/boardctl/bin/boardctl")

INSTALLING = """\
write /etc/sysusers.d/boardctl.conf
write /etc/udev/rules.d/60-boardctl.rules
write /etc/systemd/system/boardctl.service
write /etc/systemd/system/boardctl.socket
remove /etc/systemd/system/boardctl.service.d/network.conf
remove /etc/systemd/system/boardctl.service.d/pwm.conf
write /etc/boardctl/boardctl.toml unless there is one
run systemd-sysusers /etc/sysusers.d/boardctl.conf
run udevadm control --reload
run udevadm trigger --subsystem-match=gpio --subsystem-match=spidev
run udevadm trigger --subsystem-match=tty --subsystem-match=*-pio
run systemctl daemon-reload
run systemctl stop boardctl.service boardctl.socket
run systemctl enable --now boardctl.socket boardctl.service
"""

REMOVING = """\
run systemctl disable --now boardctl.service boardctl.socket
remove /etc/boardctl/boardctl.toml unless it was changed
remove /etc/systemd/system/boardctl.service.d/pwm.conf
remove /etc/systemd/system/boardctl.service.d/network.conf
remove /etc/systemd/system/boardctl.socket
remove /etc/systemd/system/boardctl.service
remove /etc/udev/rules.d/60-boardctl.rules
remove /etc/sysusers.d/boardctl.conf
remove /etc/systemd/system/boardctl.service.d if it is empty
remove /etc/boardctl if it is empty
run systemctl daemon-reload
run udevadm control --reload
"""

Call = Callable[..., Ran]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The root of a system with what others have put there, next to ours."""
    for name in (
        "etc/systemd/system/other.service",
        "etc/systemd/system/boardctl.service.d/override.conf",
        "etc/udev/rules.d/99-com.rules",
        "etc/sysusers.d/other.conf",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("theirs\n")
    return tmp_path


def tree(root: Path) -> dict[str, str | None]:
    """Every file with its text and every folder."""
    return {
        str(path.relative_to(root)): path.read_text() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def test_a_dry_run_prints_exactly_the_steps(call: Call) -> None:
    assert call("install-service", "--dry-run", *PROGRAM) == Ran(0, INSTALLING, "")
    assert call("uninstall-service", "--dry-run") == Ran(0, REMOVING, "")


def test_a_dry_run_takes_no_step(call: Call, system: Path) -> None:
    before = tree(system)
    call("install-service", "--dry-run", "--root", system, *PROGRAM)
    assert tree(system) == before


def test_below_another_root_no_command_is_run(call: Call, system: Path) -> None:
    files = [line for line in INSTALLING.splitlines() if not line.startswith("run ")]
    assert call("install-service", "--root", system, *PROGRAM).out.splitlines() == files


@pytest.mark.parametrize("drop_ins", [(), ("--network",), ("--pwm",), ("--network", "--pwm")])
def test_removing_takes_away_exactly_what_was_installed(
    call: Call, system: Path, drop_ins: Sequence[str]
) -> None:
    before = tree(system)
    assert call("install-service", "--root", system, *PROGRAM, *drop_ins).status == 0
    given = install.files()
    ours = {
        str(install.PLACES[name].relative_to("/")): text
        for name, text in given.items()
        if not name.startswith("boardctl.service.d/") or f"--{Path(name).stem}" in drop_ins
    }
    assert tree(system) == before | {"etc/boardctl": None} | ours
    assert call("uninstall-service", "--root", system).status == 0
    assert tree(system) == before


def test_what_was_installed_may_be_read_by_all_and_written_by_its_owner(call: Call, system: Path) -> None:
    old = os.umask(0o077)
    try:
        call("install-service", "--root", system, *PROGRAM)
    finally:
        os.umask(old)
    modes = {
        (system / path.relative_to("/")).stat().st_mode & 0o777
        for path in install.PLACES.values()
        if path.parent != install.DROP_INS
    }
    assert modes == {0o644}
    assert (system / "etc/boardctl").stat().st_mode & 0o777 == 0o755


def test_installing_again_brings_the_units_up_to_date_and_leaves_the_configuration(
    call: Call, system: Path
) -> None:
    call("install-service", "--root", system, "--network", *PROGRAM)
    fresh = tree(system)
    (system / "etc/systemd/system/boardctl.service").write_text("of an older version\n")
    (system / "etc/boardctl/boardctl.toml").write_text('[game]\nname = "bracket"\n')
    call("install-service", "--root", system, *PROGRAM)
    del fresh["etc/systemd/system/boardctl.service.d/network.conf"]
    assert tree(system) == fresh | {"etc/boardctl/boardctl.toml": '[game]\nname = "bracket"\n'}


def test_a_changed_configuration_and_what_lies_beside_it_stay(call: Call, system: Path) -> None:
    call("install-service", "--root", system, *PROGRAM)
    before = {"etc/boardctl/boardctl.toml": '[game]\nname = "bracket"\n', "etc/boardctl/board.toml": "mine\n"}
    for name, text in before.items():
        (system / name).write_text(text)
    call("uninstall-service", "--root", system)
    assert {name: text for name, text in tree(system).items() if name.startswith("etc/boardctl/")} == before


def test_removing_what_is_not_there_is_no_fault(call: Call, tmp_path: Path) -> None:
    assert call("uninstall-service", "--root", tmp_path).status == 0
    assert tree(tmp_path) == {}


def test_the_service_runs_the_program_named(call: Call, system: Path) -> None:
    call("install-service", "--root", system, "--program", "/usr/local/bin/boardctl")
    unit = (system / "etc/systemd/system/boardctl.service").read_text()
    assert "ExecStart=/usr/local/bin/boardctl run" in unit
    assert "/opt/boardctl" not in unit


@pytest.mark.parametrize("program", ["/home/pi/.local/bin/boardctl", "/root/b/boardctl", "/tmp/boardctl"])
def test_a_program_that_the_service_could_not_see_is_refused(call: Call, system: Path, program: str) -> None:
    before = tree(system)
    assert call("install-service", "--root", system, "--program", program) == Ran(
        2,
        "",
        f"boardctl: install-service: {program} lies where the service may not look; "
        "install boardctl into /opt/boardctl\n",
    )
    assert tree(system) == before


@pytest.mark.parametrize("program", ["boardctl", "/opt/my games/boardctl", "/opt/50%/boardctl"])
def test_a_path_that_systemd_would_read_otherwise_is_refused(call: Call, system: Path, program: str) -> None:
    refused = call("install-service", "--root", system, "--program", program)
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert f"{program} is no whole path of plain letters" in refused.err


def test_commands_are_run_in_the_order_of_the_plan(tmp_path: Path) -> None:
    ran: list[str] = []

    def run(words: Sequence[str]) -> int:
        ran.append(f"run {' '.join(words)}")
        return 0

    for step in install.installing(install.files(), install.PROGRAM):
        install.carry_out(step, tmp_path, run)
    assert ran == [line for line in INSTALLING.splitlines() if line.startswith("run ")]


def test_a_command_that_fails_ends_it_unless_it_may_fail(tmp_path: Path) -> None:
    with pytest.raises(install.StepFailed, match=r"^run systemctl daemon-reload: ended with status 1$"):
        install.carry_out(install.Run(("systemctl", "daemon-reload")), tmp_path, lambda _: 1)
    install.carry_out(install.Run(("systemctl", "stop"), needed=False), tmp_path, lambda _: 5)


def test_a_file_that_cannot_be_written_ends_it_with_one_line(call: Call, tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("no folder")
    assert call("install-service", "--root", tmp_path, *PROGRAM) == Ran(
        1,
        "write /etc/sysusers.d/boardctl.conf\n",
        "boardctl: install-service: write /etc/sysusers.d/boardctl.conf: File exists; mend that and do it again\n",
    )


@pytest.mark.skipif(Path("/run/systemd/system").is_dir(), reason="systemd runs this system")
@pytest.mark.parametrize("command", ["install-service", "uninstall-service"])
def test_a_system_that_systemd_does_not_run_is_left_alone(call: Call, command: str) -> None:
    words = [command, *(PROGRAM if command == "install-service" else ())]
    assert call(*words) == Ran(
        2,
        "",
        f"boardctl: {command}: systemd does not run this system; --root FOLDER prepares another one\n",
    )
