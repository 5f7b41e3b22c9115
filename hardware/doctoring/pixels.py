"""The pixels: what drives them, and all that has to be switched on or off for it.

Sources: the README of rpi_ws281x (a Pi 3 needs core_freq=250, a Pi 4 core_freq=500 and core_freq_min=500, for the
clock of SPI hangs on them; PWM needs root and fights analogue audio; a long strip needs a larger buffer of spidev), its
ws2811.c (12 bytes a pixel go through SPI whatever the colours, and 24 more), and Blinka's platform_dependencies.py
(gpiod, and one driver for a Pi 5 and another for the others).
"""

from __future__ import annotations

from hardware.board_file import Pixels
from hardware.doctoring.case import Case, Said, ok, older, skip, wrong
from hardware.doctoring.machine import NotLoaded

NONE = "no pixels are needed here"
BYTES_A_PIXEL, BYTES_MORE = 12, 24
USUAL_BUFFER, LARGER_BUFFER = 4096, 65536
CORE_FREQ = {
    "Pi 3": {"core_freq": "250"},
    "Zero 2 W": {"core_freq": "250"},
    "Compute Module 3": {"core_freq": "250"},
    "Pi 4": {"core_freq": "500", "core_freq_min": "500"},
    "Compute Module 4": {"core_freq": "500", "core_freq_min": "500"},
}
"""What the firmware has to be told, by a word of the model; the others run at the right clock by themselves."""
PCM_PIN = 21
"""The one pin of those that need root which does without PWM."""
GPIOD = "2.2"


def way(case: Case) -> Said:
    """Whether this model can drive pixels in the way of the board file."""
    pixels = case.pixels
    if pixels is None:
        return skip(NONE)
    if case.model and case.pi5 != (pixels.through == "pio"):
        found = "a Pi 5 drives no pixels" if case.pi5 else "only a Pi 5 drives pixels"
        other = 'through = "pio"' if case.pi5 else 'through = "spi" and pin = 10'
        return wrong(f"{found} through {pixels.through}", f"write {other} below [pixels] in the board file")
    return ok(f"{pixels.count} pixels through {pixels.through} at GPIO{pixels.pin}")


def spi(case: Case) -> Said | list[Said]:
    """Whether the buses are on and open to us."""
    return [_bus(case, device, what) for device, what in case.buses.items()] or skip("no SPI is needed")


def _bus(case: Case, device: str, what: str) -> Said:
    if not case.machine.exists(device):
        found = f"{device} is not there for {what}"
        return case.missing(found, _switching_on(case, device), needed=bool(case.model))
    if not case.machine.may(device):
        return wrong(f"{device} is closed to {case.machine.user}", case.joining("spi"))
    return ok(f"{device} for {what}")


def _switching_on(case: Case, device: str) -> str:
    if not device.startswith("/dev/spidev0"):
        return case.set_in_config("dtoverlay=spi1-3cs")
    if case.config().get("dtparam=spi") == "on":
        return f"sudo reboot, for dtparam=spi=on is in {case.config_file} already"
    return "sudo raspi-config nonint do_spi 0"


def buffer(case: Case) -> Said:
    """Whether a frame goes through SPI in one piece."""
    pixels = _through(case, "spi")
    if pixels is None:
        return skip("no pixels through SPI")
    said = case.machine.text("/sys/module/spidev/parameters/bufsiz")
    room, needed = int(said) if said else USUAL_BUFFER, pixels.count * BYTES_A_PIXEL + BYTES_MORE
    if needed > room:
        folder = case.config_file.rpartition("/")[0]
        remedy = (
            f"write spidev.bufsiz={LARGER_BUFFER} at the end of the line in {folder}/cmdline.txt and restart"
        )
        return wrong(f"{pixels.count} pixels are {needed} bytes, and SPI takes {room} at once", remedy)
    return ok(f"{needed} bytes of {room}")


def core_freq(case: Case) -> Said:
    """Whether the clock of SPI stands still at the right frequency."""
    if _through(case, "spi") is None or not case.model:
        return skip("no pixels through SPI of a Raspberry Pi")
    needed = next((settings for word, settings in CORE_FREQ.items() if word in case.model), {})
    said = case.config()
    lacking = [f"{key}={value}" for key, value in needed.items() if said.get(key) != value]
    if lacking:
        found = f"the clock of SPI is not fixed: {case.config_file} has no {' and no '.join(lacking)}"
        return wrong(found, case.set_in_config(*lacking))
    return ok(", ".join(f"{key}={value}" for key, value in needed.items()) or "right by itself on this model")


def rights(case: Case) -> Said:
    """Whether we are root where pixels need it."""
    pixels = _through(case, "pwm")
    if pixels is None:
        return skip("no pixels that need root")
    if not case.machine.superuser:
        remedy = 'write through = "spi" and pin = 10 below [pixels] in the board file'
        return wrong(f"pixels at GPIO{pixels.pin} need root, and we are {case.machine.user}", remedy)
    return ok("we are root")


def audio(case: Case) -> Said:
    """Whether analogue audio leaves PWM to the pixels."""
    pixels = _through(case, "pwm")
    if pixels is None or pixels.pin == PCM_PIN:
        return skip("no pixels through PWM")
    modules = (case.machine.text("/proc/modules") or "").splitlines()
    if not any(line.startswith("snd_bcm2835 ") for line in modules):
        return ok("analogue audio is off")
    found = f"analogue audio (snd_bcm2835) drives the PWM that GPIO{pixels.pin} needs"
    if case.config().get("dtparam=audio") == "off":
        return wrong(found, f"sudo reboot, for dtparam=audio=off is in {case.config_file} already")
    return wrong(found, case.set_in_config("dtparam=audio=off"))


def pio(case: Case) -> Said:
    """Whether the PIO of a Pi 5 is there and open to us."""
    if _through(case, "pio") is None or not case.pi5:
        return skip("no pixels through PIO of a Pi 5")
    if not case.machine.exists("/dev/pio0"):
        return wrong(
            "/dev/pio0 is not there: the firmware is too old", "sudo rpi-eeprom-update -a && sudo reboot"
        )
    if not case.machine.may("/dev/pio0"):
        return wrong(f"/dev/pio0 is closed to {case.machine.user}", "sudo boardctl install-service")
    return ok("/dev/pio0")


def library(case: Case) -> Said:
    """Whether `board` is Blinka's: there is another package of that name."""
    needed = case.pixels is not None
    try:
        module = case.machine.load("board")
    except NotLoaded as fault:
        return case.missing(f"board does not load ({fault})", case.pip("boardctl[pi]"), needed=needed)
    if "__blinka__" not in module.names:
        blinka = "pip uninstall -y board && {0}/bin/pip install --force-reinstall adafruit-blinka"
        remedy = f"{{0}}/bin/{blinka}".format(case.machine.prefix)
        return wrong(f"{module.file} is another package called board, not Blinka's", remedy)
    return ok(f"Blinka {case.machine.version('adafruit-blinka') or 'without a version'}")


def backend(case: Case) -> Said | list[Said]:
    """Whether Blinka has what it needs below itself on a Raspberry Pi."""
    if case.pixels is None or not case.model:
        return skip("no pixels of a Raspberry Pi")
    faults = [fault for fault in (_driver(case), _gpiod(case)) if fault is not None]
    return faults or ok(f"{_driver_package(case)} and gpiod")


def _driver_package(case: Case) -> str:
    return "adafruit-blinka-raspberry-pi5-neopixel" if case.pi5 else "rpi_ws281x"


def _driver(case: Case) -> Said | None:
    package = _driver_package(case)
    version = case.machine.version(package)
    newest = package if case.pi5 else f"{package}>=5"
    if version is None:
        return wrong(f"{package} is not installed", case.pip(newest))
    if not case.pi5 and older(version, "5"):
        return wrong(f"{package} {version} does not know the newest models", case.pip(newest))
    return None


def _gpiod(case: Case) -> Said | None:
    version = case.machine.version("gpiod")
    if version is None or older(version, GPIOD):
        found = f"gpiod {version} is too old" if version else "gpiod is not installed"
        return wrong(found, case.pip("gpiod>=2.2.2,<3"))
    return None


def _through(case: Case, way: str) -> Pixels | None:
    return case.pixels if case.pixels and case.pixels.through == way else None
