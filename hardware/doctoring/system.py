"""The computer and its system: model, release, Python, power, room on the disk, clock.

What the bits of the firmware's power word mean: raspberrypi.com, documentation of `vcgencmd get_throttled`.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from hardware.doctoring.case import Case, Said, ok, older, skip, wrong

OLDEST_PYTHON = "3.11"
TESTED = ("bookworm", "trixie")
LEAST_ROOM_MB = 100
"""Megabytes below which a journal may come to its end."""
UNDER_VOLTAGE_NOW, SLOWED_NOW, UNDER_VOLTAGE_ONCE = 0x1, 0xE, 0x10000
QUOTES = "\"'"
NO_PI = "this is no Raspberry Pi"


def model(case: Case) -> Said:
    """Which Raspberry Pi it is."""
    if case.model:
        return ok(case.model)
    remedy = "run boardctl on a Raspberry Pi, or play on a simulated board: boardctl play"
    if case.pins:
        return wrong(f"{NO_PI}, and the board hangs on the pins of one", remedy)
    return skip(f"{NO_PI}; the simulated board plays here")


def release(case: Case) -> Said:
    """Which system runs."""
    said = case.machine.text("/etc/os-release")
    if said is None:
        return skip("the system does not tell its name")
    words = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    name = words.get("PRETTY_NAME", "a system without a name").strip(QUOTES)
    if case.raspberry_pi_os:
        name = f"Raspberry Pi OS on {name}"
    tested = words.get("VERSION_CODENAME", "").strip(QUOTES) in TESTED
    return ok(name if tested else f"{name}, where nobody has tried this; {' and '.join(TESTED)} are known")


def python(case: Case) -> Said:
    """Which Python runs us."""
    version = case.machine.python
    if older(version, OLDEST_PYTHON):
        return wrong(f"{version} is too old", f"install Python {OLDEST_PYTHON} or newer")
    return ok(version)


def packages(case: Case) -> Said:
    """Where packages come from."""
    machine = case.machine
    if machine.venv:
        return ok(f"into the virtual environment {machine.prefix}")
    minor = ".".join(machine.python.split(".")[:2])
    if machine.exists(f"/usr/lib/python{minor}/EXTERNALLY-MANAGED"):
        return ok("from the system only; pip needs a virtual environment (PEP 668)")
    return ok("by pip, into the system's own Python")


def power(case: Case) -> Said:
    """Whether the voltage holds."""
    word = _power_word(case)
    if word is None:
        return skip("the firmware does not tell" if case.model else NO_PI)
    remedy = "take a power supply that holds 5.1 V, and one of their own for the pixels"
    if word & UNDER_VOLTAGE_NOW:
        return wrong(f"under-voltage just now ({word:#x})", remedy)
    if word & UNDER_VOLTAGE_ONCE:
        return wrong(f"under-voltage since the start ({word:#x})", remedy)
    if word & SLOWED_NOW:
        return wrong(f"slowed down by heat ({word:#x})", "give it air, or a heat sink")
    return ok("no under-voltage since the start")


def _power_word(case: Case) -> int | None:
    if not case.model:
        return None
    for path in case.machine.paths("/sys/devices/platform/soc*/*firmware/get_throttled"):
        return int(case.machine.text(path) or "0", 16)
    said = case.machine.command(("vcgencmd", "get_throttled"))  # throttled=0x50005
    return int(said.partition("=")[2], 16) if said else None


def room(case: Case) -> Said:
    """Whether games can be kept."""
    machine, folder = case.machine, case.state
    there = _nearest(case, folder)
    if closed := [each for each in (folder, f"{folder}/journal.sqlite") if _is_closed(case, each)]:
        return wrong(f"{closed[0]} is closed to {machine.user}", f"sudo chown -R {machine.user} {folder}")
    if not machine.may(there):
        return wrong(f"{there} is closed to {machine.user}", f"sudo install -d -o {machine.user} {folder}")
    free = machine.free(there) // 1_000_000
    if free < LEAST_ROOM_MB:
        return wrong(f"{free} MB are free for {folder}", "sudo apt clean")
    return ok(f"more than {LEAST_ROOM_MB} MB are free for {folder}")


def _is_closed(case: Case, path: str) -> bool:
    return case.machine.exists(path) and not case.machine.may(path)


def _nearest(case: Case, folder: str) -> str:
    """The folder, or the nearest above it that is there."""
    path = PurePosixPath(folder)
    return next((str(each) for each in (path, *path.parents) if case.machine.exists(str(each))), "/")


def clock(case: Case) -> Said:
    """Whether the time of day is right; games are dated by it, and nothing else."""
    if case.machine.exists("/run/systemd/timesync/synchronized"):
        return ok("set by the network")
    said = case.machine.command(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    if said == "yes":
        return ok("set by the network")
    if said == "no":
        return skip("not set by the network; games may get a wrong date")
    return skip("nothing here tells whether it is right")
