"""The pins: their chip, our right to it, the libraries, and whoever else has a line of the board.

A chip is known by its label, never by its number: that of a Pi 5 went from 4 to 0 (raspberrypi/linux#6144). gpiozero
before 2.0.1.post3 opens number 4 on a Pi 5 whatever lies there, and post1 and post2 fall over (gpiozero#1229).
lgpio 0.0.0.2 is a package without anything in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.board_file import uses
from hardware.doctoring.case import Case, Said, ok, older, skip, wrong
from hardware.doctoring.machine import NotLoaded

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The chips of the header, newest first: that of a Pi 5, of a Pi 4, and of all before."""
COMPATIBLE = {
    "raspberrypi,rp1-gpio": "pinctrl-rp1",
    "brcm,bcm2711-gpio": "pinctrl-bcm2711",
    "brcm,bcm2835-gpio": "pinctrl-bcm2835",
}
"""What the device tree calls them: that can be read without any right to the chip."""
GPIOZERO, GPIOZERO_BROKEN = "2.0.1.post3", ("2.0.1.post1", "2.0.1.post2")
LGPIO = "0.2.2"
APT_LGPIO = "/usr/lib/python3/dist-packages/lgpio.py"


def header(case: Case) -> tuple[str, str] | None:
    """The chip of the header and its label."""
    chips = [path for path in case.machine.paths("/dev/gpiochip*") if not case.machine.at(path).is_symlink()]
    labels = {path: _label(case, path) for path in chips}
    return next(((path, label) for path, label in labels.items() if label in LABELS), None)


def _label(case: Case, chip: str) -> str:
    try:
        return case.machine.label(chip)
    except OSError:  # closed to us; the device tree is open to all
        name = chip.rpartition("/")[2]
        said = case.machine.text(f"/sys/bus/gpio/devices/{name}/of_node/compatible") or ""
        return next((COMPATIBLE[word] for word in said.split("\0") if word in COMPATIBLE), "")


def chip(case: Case) -> Said:
    """The chip of the header, and whether it is open to us."""
    found = header(case)
    if found is None:
        remedy = "boot the kernel of Raspberry Pi OS, and run boardctl outside of containers"
        needed = case.pins and bool(case.model)
        return case.missing("no chip with the pins of a Raspberry Pi", remedy, needed=needed)
    path, label = found
    if not case.machine.may(path):
        return wrong(f"{path} ({label}) is closed to {case.machine.user}", case.joining("gpio"))
    return ok(f"{path}, {label}")


def lgpio(case: Case) -> Said:
    """The library that reads and writes lines."""
    try:
        module = case.machine.load("lgpio")
    except NotLoaded as fault:
        return case.missing(f"lgpio does not load ({fault})", _lgpio_remedy(case), needed=case.pins)
    version = case.machine.version("lgpio") or "without a version"
    if "gpiochip_open" not in module.names:
        remove = f"{case.machine.prefix}/bin/pip uninstall -y lgpio"
        return wrong(f"lgpio {version} is empty ({module.file})", f"{remove} && {_lgpio_remedy(case)}")
    if case.machine.version("lgpio") and older(version, LGPIO):
        return wrong(f"lgpio {version} is older than {LGPIO}", _lgpio_remedy(case))
    return ok(f"lgpio {version}")


def _lgpio_remedy(case: Case) -> str:
    """apt's package where there is one: pip would have to build it for newer Pythons, and cannot without swig."""
    machine = case.machine
    closed = "include-system-site-packages = false" in (machine.text(f"{machine.prefix}/pyvenv.cfg") or "")
    opened = f"python3 -m venv --system-site-packages {machine.prefix}"
    if not case.raspberry_pi_os:
        return case.pip(f"lgpio>={LGPIO}")
    if not machine.exists(APT_LGPIO):
        return f"sudo apt install -y python3-lgpio{f' && {opened}' if closed else ''}"
    return opened if closed else "sudo apt install -y --reinstall python3-lgpio"


def gpiozero(case: Case) -> Said:
    """The library above, and whether it finds the chip."""
    version = case.machine.version("gpiozero")
    newer = case.pip(f"gpiozero>={GPIOZERO}")
    if version is None:
        remedy = "sudo apt install -y python3-gpiozero" if case.raspberry_pi_os else newer
        return case.missing("gpiozero is not installed", remedy, needed=case.pins)
    if older(version, "2.0"):
        return wrong(f"gpiozero {version} is too old for lgpio", newer)
    if version in GPIOZERO_BROKEN:
        return wrong(f"gpiozero {version} falls over when it opens the chip", newer)
    found = header(case)
    if older(version, GPIOZERO) and found and found[1] == "pinctrl-rp1" and not _is_fourth(case):
        return wrong(f"gpiozero {version} opens /dev/gpiochip4, and the pins are at {found[0]}", newer)
    return ok(f"gpiozero {version}")


def _is_fourth(case: Case) -> bool:
    """Whether number 4 leads to the chip of the header, by itself or as a link."""
    return case.machine.exists("/dev/gpiochip4") and _label(case, "/dev/gpiochip4") == "pinctrl-rp1"


def factory(case: Case) -> Said:
    """What gpiozero is told to drive pins with; boardctl takes lgpio whatever that is."""
    said = case.machine.environment.get("GPIOZERO_PIN_FACTORY")
    if said in (None, "lgpio"):
        return ok("lgpio")
    return ok(f"lgpio; GPIOZERO_PIN_FACTORY={said} is for other programs")


def folder(case: Case) -> Said:
    """Where lgpio makes its pipe as it loads; where it cannot, it does not load."""
    machine = case.machine
    named = machine.environment.get("LG_WD")
    if named is not None:
        if machine.exists(named) and machine.may(named):
            return ok(f"{named}, as LG_WD says")
        return wrong(f"LG_WD={named} is no folder that {machine.user} may write in", "export LG_WD=/tmp")
    if machine.may("/tmp"):
        return ok("one of its own, below /tmp")
    if machine.may(machine.folder):
        return ok(f"one of its own, below {machine.folder}, since /tmp is closed to {machine.user}")
    return wrong(f"{machine.folder} and /tmp are closed to {machine.user}", "export LG_WD=$HOME")


def lines(case: Case) -> Said | list[Said]:
    """Whether somebody has a line of the board already."""
    found = header(case)
    if case.board is None:
        return skip("no board is named")
    if not uses(case.board):
        return skip("the board has no pins")
    if found is None or not case.machine.may(found[0]):
        return skip("the chip cannot be asked")
    held = _held(case, found[0])
    return [_taken(case, found[0], holder, pins) for holder, pins in held.items()] or ok("all are free")


def _held(case: Case, chip: str) -> dict[str, list[int]]:
    """The board's lines that somebody has, by who has them; what a bus takes is the kernel's rightly."""
    assert case.board is not None
    own = (use.pin for use in uses(case.board) if not use.user.startswith(("pixels.through", "sensors.bus")))
    held: dict[str, list[int]] = {}
    for pin in own:
        if (holder := case.machine.holder(chip, pin)) is not None:
            held.setdefault(holder, []).append(pin)
    return held


def _taken(case: Case, chip: str, holder: str, pins: list[int]) -> Said:
    names = ", ".join(f"GPIO{pin}" for pin in pins)
    who, remedy = _who(case, chip, holder)
    return wrong(f"{names} {'is' if len(pins) == 1 else 'are'} held by {who}", remedy)


def _who(case: Case, chip: str, holder: str) -> tuple[str, str]:
    """Who calls itself so, and how it lets go."""
    if holder.startswith("spi"):
        bus = "sudo raspi-config nonint do_spi 1, or write other pins into the board file"
        return f"the kernel, as {holder!r}", bus
    processes = case.machine.holders(chip, "anon_inode:gpio")
    if any(each.startswith("boardctl,") for each in processes):
        return "boardctl, which plays", "sudo systemctl stop boardctl"
    if processes:
        return f"{holder!r} ({'; '.join(processes)})", f"kill {' '.join(_numbers(processes))}"
    if case.machine.superuser:
        return f"the kernel, as {holder!r}", "write other pins into the board file"
    return repr(holder), "sudo boardctl doctor finds the process"


def _numbers(processes: list[str]) -> Iterator[str]:
    return (each.rpartition(" ")[2] for each in processes)
