"""Serial ports: the cable to a board's microcontroller, and who else talks on it.

Two readers of one port take each other's bytes: pyserial calls that "device reports readiness to read but returned no
data (device disconnected or multiple access on port?)", as it does when the cable is pulled.
"""

from __future__ import annotations

from hardware.doctoring.case import Case, Said, ok, skip, wrong

OWN_NAME = "/dev/boardctl"
"""The name that our udev rules give a Pico."""
RULES = "/etc/udev/rules.d/60-boardctl.rules"
PLUG_IN = "plug the board's cable in"
ON_THE_HEADER = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyAMA10", "/dev/ttyS0")
"""The ports at GPIO14 and 15, on which a Raspberry Pi may have its console."""


def _ports(case: Case) -> list[str]:
    """The ports that are plugged in, by names that stay."""
    return [*case.machine.paths(OWN_NAME), *case.machine.paths("/dev/serial/by-id/*")]


def port(case: Case) -> Said:
    """Whether the board's cable is there, open to us and ours alone."""
    ports = _ports(case)
    cable = case.cable
    if cable is None:
        return ok(", ".join(ports)) if ports else skip("no cable is needed, and none is plugged in")
    if cable.port and not case.machine.exists(cable.port):
        others = f", or write another port below [sensors]: {', '.join(ports)}" if ports else ""
        return wrong(f"{cable.port} is not there: unplugged, or another name", f"{PLUG_IN}{others}")
    if not cable.port and not ports:
        return wrong("nothing is plugged in", PLUG_IN)
    return _usable(case, cable.port or ports[0])


def _usable(case: Case, port: str) -> Said:
    if not case.machine.may(port):
        return wrong(f"{port} is closed to {case.machine.user}", case.joining("dialout"))
    device = case.machine.at(port).resolve()
    name = f"/{device.relative_to(case.machine.root.resolve())}"
    others = [each for each in case.machine.holders(port, name) if not each.startswith("boardctl,")]
    if others:
        ending = " ".join(each.rpartition(" ")[2] for each in others)
        return wrong(f"{port} is read by another, too: {'; '.join(others)}", f"kill {ending}")
    return ok(port)


def library(case: Case) -> Said:
    """Whether the packages for a cable are installed."""
    versions = {name: case.machine.version(name) for name in ("pyserial", "cobs")}
    lacking = [name for name, version in versions.items() if version is None]
    if lacking:
        found, remedy = f"{' and '.join(lacking)} not installed", case.pip("boardctl[serial]")
        return case.missing(found, remedy, needed=case.cable is not None)
    return ok(", ".join(f"{name} {version}" for name, version in versions.items()))


def console(case: Case) -> Said:
    """Whether the system leaves the port at GPIO14 and 15 alone."""
    if case.cable is None or case.cable.port not in ON_THE_HEADER:
        return skip("no board at GPIO14 and 15")
    folder = case.config_file.rpartition("/")[0]
    words = (case.machine.text(f"{folder}/cmdline.txt") or "").split()
    taken = [word for word in words if word.startswith(("console=serial", "console=ttyS", "console=ttyAMA"))]
    if taken:
        found = f"the system has its console there ({taken[0]})"
        return wrong(found, "sudo raspi-config nonint do_serial_cons 1 && sudo reboot")
    return ok(f"{case.cable.port} is no console")


def modems(case: Case) -> Said:
    """Whether ModemManager, which talks to whatever is plugged in, knows the board for none."""
    if not case.machine.processes("ModemManager"):
        return ok("ModemManager does not run")
    if case.machine.exists(RULES):
        return ok(f"ModemManager runs; {RULES} keeps it off the board")
    if case.cable is None:
        return skip("ModemManager runs, and the board needs no cable")
    found = "ModemManager runs and talks to a board that is plugged in"
    return wrong(found, "sudo systemctl disable --now ModemManager")
