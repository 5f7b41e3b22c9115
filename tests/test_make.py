"""What stands between a fresh clone and its first game: the Makefile and the scripts that say what is lacking."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "arduino-builder arduino-core-avr avr-libc chromium chromium-driver fonts-dejavu-core gcc gcc-avr libc6-dev "
    "libsimavr-dev systemd"
)


@pytest.fixture
def system(tmp_path: Path):
    """A system with no commands but those put into it; running a script there answers (status, words)."""
    return System(tmp_path)


class System:
    """A folder that is all of PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, command: str, script: str) -> None:
        """Give it a command, as a shell script."""
        file = self.folder / command
        file.write_text(f"#!{shutil.which('sh')}\n{script}\n")
        file.chmod(0o755)

    def runs(self, *command: str) -> tuple[int, str]:
        """Run a script of the project."""
        done = subprocess.run(
            [shutil.which("sh") or "sh", *command],
            cwd=ROOT,
            env={"PATH": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("target", ["setup", "play", "test", "check", "bench"])
def test_the_makefile_knows_how_to(target: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", target],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "-m venv .venv" in done.stdout
    assert ("[serial,test]" in done.stdout) == (target in ("test", "check", "bench"))


def test_a_missing_python_is_said_with_what_to_install(system: System) -> None:
    assert system.runs(".ci/python", "python3") == (
        1,
        "make: python3: there is no such command; apt install python3 python3-venv, or make PYTHON=/path/to/python3\n",
    )


def test_a_python_too_old_is_said_with_its_version(system: System) -> None:
    system.has("python3", 'case "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac')
    assert system.runs(".ci/python", "python3") == (
        1,
        "make: python3: it is Python 3.9, and boardctl needs 3.11 or later; make PYTHON=python3.11 takes another\n",
    )


def test_a_missing_venv_module_is_said_with_debians_package(system: System) -> None:
    system.has("python3", 'case "$2" in *print*) echo 3.11 ;; *ensurepip*) exit 1 ;; esac')
    assert system.runs(".ci/python", "python3") == (
        1,
        "make: python3: its venv module is missing; apt install python3.11-venv (Debian: python3-venv)\n",
    )


def test_a_python_that_will_do_is_not_talked_about(system: System) -> None:
    system.has("python3", 'case "$2" in *print*) echo 3.11 ;; esac')
    assert system.runs(".ci/python", "python3") == (0, "")


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ({}, "make: avr-gcc: there is no such command; apt install gcc-avr avr-libc"),
        ({"avr-gcc": "exit 1"}, "make: avr-libc is missing; apt install avr-libc"),
    ],
)
def test_firmware_that_cannot_be_built_says_what_to_install(
    system: System, commands: dict[str, str], words: str
) -> None:
    for name, script in commands.items():
        system.has(name, script)
    status, said = system.runs("-c", f"{shutil.which('make')} firmware")
    assert (status, words in said.splitlines()) == (2, True)


def test_without_apt_the_tests_that_need_packages_are_named_and_the_rest_goes_on(system: System) -> None:
    status, words = system.runs(".ci/packages")
    assert status == 0
    assert f"Missing: {PACKAGES}. Tests that need them will be SKIPPED." in words
    assert "This system has no apt" in words


def test_without_root_the_packages_are_named_and_the_rest_goes_on(system: System) -> None:
    system.has("apt-get", "exit 1")
    system.has("id", "echo 1000")
    status, words = system.runs(".ci/packages")
    assert status == 0
    assert f"Root may install them: apt install {PACKAGES}" in words


@pytest.mark.parametrize(("user", "as_root"), [("0", ""), ("1000", "sudo -n ")])
def test_root_and_sudo_without_a_password_install_what_is_missing(
    system: System, user: str, as_root: str
) -> None:
    log = system.folder / "log"
    system.has("apt-get", f'echo "apt-get $*" >>{log}')
    system.has("id", f"echo {user}")
    system.has("sudo", f'[ "$2" = true ] && exit; printf "sudo -n " >>{log}; shift; "$@"')
    system.has("dpkg-query", '[ "$3" = chromium ] && echo "install ok installed"')
    system.has("grep", f'exec {shutil.which("grep")} "$@"')
    missing = PACKAGES.replace("chromium ", "")
    assert system.runs(".ci/packages") == (
        0,
        f"Installing for the tests: {missing}\n",
    )
    assert log.read_text().splitlines() == [
        f"{as_root}apt-get update -qq",
        f"{as_root}apt-get install -qq -y --no-install-recommends {missing}",
    ]


def test_an_apt_that_fails_is_said_and_the_rest_goes_on(system: System) -> None:
    system.has("apt-get", "echo 'E: no network' >&2; exit 100")
    system.has("id", "echo 0")
    status, words = system.runs(".ci/packages")
    assert status == 0
    assert "E: no network" in words
    assert "SKIPPED" in words
