"""A strip of NeoPixels on a Raspberry Pi, through `neopixel.NeoPixel`.

Whether a strip can be driven is found out first, from the Pi's model, rights, modules and device files, and refused
with the remedy: the libraries below would crash or half work. Nothing is tried and fallen back from in the process.

Sources of the facts: the README of rpi_ws281x (PWM needs /dev/mem and so root, and fights analogue audio; it knows no
Pi 5), of Adafruit_Blinka_Raspberry_Pi5_Neopixel (PIO needs /dev/pio0), and Blinka's neopixel_write (a strip of four
colours whose bytes divide by three is sent as one of three).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hardware.lights import Pixel

if TYPE_CHECKING:
    from hardware.board_file import Pixels


class NoStrip(RuntimeError):
    """The strip of this board cannot be driven here: why, and what to do."""


class Facts(NamedTuple):
    """What decides whether pixels can be driven: of this machine, just now."""

    model: str
    """As the firmware names it: `Raspberry Pi Zero 2 W Rev 1.0`; empty on another machine."""
    root: bool
    modules: frozenset[str]
    """Kernel modules that are loaded."""
    devices: frozenset[str]
    """Device files that are there and may be opened."""

    @property
    def pi5(self) -> bool:
        """Whether its pins hang on the RP1."""
        return "Raspberry Pi 5" in self.model or "Compute Module 5" in self.model


def facts(root: Path = Path("/")) -> Facts:
    """The facts of the machine whose files lie below `root`."""
    model = root / "proc/device-tree/model"
    modules = root / "proc/modules"
    watched = ("/dev/mem", "/dev/spidev0.0", "/dev/pio0")
    open_to_us = (path for path in watched if os.access(root / path[1:], os.R_OK | os.W_OK))
    return Facts(
        model.read_text(errors="replace").strip("\0\n") if model.exists() else "",
        os.geteuid() == 0,
        frozenset(line.split()[0] for line in modules.read_text().splitlines())
        if modules.exists()
        else frozenset(),
        frozenset(open_to_us),
    )


def refusal(pixels: Pixels, here: Facts) -> str | None:
    """Why these pixels cannot be driven on such a machine, with the remedy; None where they can."""
    if not here.model:
        return "this is no Raspberry Pi; the pixels stay dark and the words tell everything"
    if pixels.through == "pio":
        return _pio(here)
    if here.pi5:
        return f'a Pi 5 drives no pixels through {pixels.through}; write through = "pio" in the board file'
    return _spi(here) if pixels.through == "spi" else _pwm(pixels, here)


def _pio(here: Facts) -> str | None:
    if not here.pi5:
        return 'only a Pi 5 has PIO; write through = "spi" in the board file'
    if "/dev/pio0" not in here.devices:
        return (
            "/dev/pio0 is not there or closed to us; update the firmware, then sudo boardctl install-service"
        )
    return None


def _spi(here: Facts) -> str | None:
    if "/dev/spidev0.0" in here.devices:
        return None
    return "/dev/spidev0.0 is not there or closed to us; sudo raspi-config nonint do_spi 0, and join the group spi"


def _pwm(pixels: Pixels, here: Facts) -> str | None:
    if not here.root:
        return f'GPIO{pixels.pin} needs root for pixels; write through = "spi" and pin = 10 in the board file'
    if "snd_bcm2835" in here.modules and pixels.pin != 21:
        return (
            "analogue audio is on and uses the same PWM; write dtparam=audio=off into config.txt and restart"
        )
    return None


class NeoPixels:
    """A `Strip`: one `neopixel.NeoPixel`, which there may be only one of in a process."""

    def __init__(self, pixels: Pixels, here: Facts) -> None:
        """Raises `NoStrip` where it cannot be driven."""
        if why := refusal(pixels, here):
            raise NoStrip(why)
        self._white = len(pixels.order) == 4
        padding = 1 if self._white and pixels.count % 3 == 0 else 0
        self._strip = _opened(pixels, pixels.count + padding)

    def write(self, pixels: Sequence[Pixel]) -> None:
        """As the port says: gamma, brightness and budget are in the numbers already."""
        for number, pixel in enumerate(pixels):
            self._strip[number] = (*pixel, 0) if self._white else pixel
        self._strip.show()

    def close(self) -> None:
        """Lets go of the pin."""
        self._strip.deinit()


def _opened(pixels: Pixels, count: int) -> Any:
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")  # else it may ask a question and run pip
    try:
        import board
        import neopixel
    except (ImportError, NotImplementedError, RuntimeError) as fault:
        raise NoStrip(f"the library for pixels does not load ({fault}); pip install 'boardctl[pi]'") from None
    pin = getattr(board, f"D{pixels.pin}", None) or getattr(board, "NEOPIXEL", None)
    if pin is None:
        raise NoStrip(f"the library for pixels knows no GPIO{pixels.pin} here; boardctl doctor says why")
    return neopixel.NeoPixel(pin, count, brightness=1.0, auto_write=False, pixel_order=pixels.order)
