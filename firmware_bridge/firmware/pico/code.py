"""A Raspberry Pi Pico under a board: its pins, in CircuitPython. What it does with them is in bridge.py.

Whoever wires another board changes the first lines and no others.
"""

import board
import bridge
import digitalio
import microcontroller
import neopixel_write
import supervisor
import usb_cdc
import watchdog

ROWS = (board.GP0, board.GP1, board.GP2, board.GP3, board.GP4, board.GP5, board.GP6, board.GP7)
COLUMNS = (board.GP8, board.GP9, board.GP10, board.GP11, board.GP12, board.GP13, board.GP14, board.GP15)
PIXELS, DATA = 64, board.GP16
LAMP = board.LED
KIND = bridge.PRESENCE  # or bridge.PRESSES, for buttons

SETTLE_US = 20
"""From choosing a row to reading it. A column rises through its pull-up, 50 to 80 kOhm (RP2040 data sheet, 5.5.3.4),
against the capacity of the line, and reads high from 2.0 V on: after 0.93 RC. So 270 pF are borne, two metres of
cable."""
WRITE_S = 0.02
"""Seconds that a host may take to read on."""
HANGS_S = 8
"""Seconds without a step after which the watchdog resets the board; an RP2040 cannot wait longer."""
TICKS = 0x1FFFFFFF
"""supervisor.ticks_ms begins anew beyond this."""


def open_drain(pin):
    """A row: pulled low in its turn, otherwise left alone. Driven high it would fight another through two switches."""
    row = digitalio.DigitalInOut(pin)
    row.switch_to_output(value=True, drive_mode=digitalio.DriveMode.OPEN_DRAIN)
    return row


def pulled_up(pin):
    """A column: low where the row is and a switch is closed."""
    column = digitalio.DigitalInOut(pin)
    column.switch_to_input(pull=digitalio.Pull.UP)
    return column


def output(pin):
    """Low at first."""
    out = digitalio.DigitalInOut(pin)
    out.switch_to_output(value=False)
    return out


class Pico(bridge.Hardware):
    """The pins and the cable."""

    def __init__(self):
        self._rows = [open_drain(pin) for pin in ROWS]
        self._columns = [(1 << at, pulled_up(pin)) for at, pin in enumerate(COLUMNS)]
        self._data, self._lamp = output(DATA), output(LAMP)
        self._cable = usb_cdc.data
        self._cable.timeout, self._cable.write_timeout = 0, WRITE_S
        self._asked = supervisor.ticks_ms()

    def rows(self):
        return [self._row(row) for row in self._rows]

    def _row(self, row):
        row.value = False
        microcontroller.delay_us(SETTLE_US)
        bits = 0
        for bit, column in self._columns:
            if not column.value:
                bits |= bit
        row.value = True
        return bits

    def show(self, strip):
        neopixel_write.neopixel_write(self._data, strip)

    def lamp(self, on):
        self._lamp.value = on

    def received(self):
        waiting = self._cable.in_waiting
        return self._cable.read(waiting) if waiting else b""

    def send(self, data):
        return self._cable.write(data) or 0

    def passed(self):
        now = supervisor.ticks_ms()
        passed = now - self._asked & TICKS
        self._asked = now
        return passed


def cause():
    """Why the board begins, to end a sentence."""
    if supervisor.runtime.run_reason != supervisor.RunReason.STARTUP:
        return "new files or a fault"
    reason = microcontroller.cpu.reset_reason
    for known, words in (
        (microcontroller.ResetReason.POWER_ON, "power on"),
        (microcontroller.ResetReason.BROWNOUT, "a brown-out"),
        (microcontroller.ResetReason.RESET_PIN, "the reset pin"),
        (microcontroller.ResetReason.WATCHDOG, "the watchdog"),
    ):
        if reason == known:
            return words
    return "a reset"


def watched():
    """The watchdog, awake."""
    dog = microcontroller.watchdog
    dog.timeout = HANGS_S
    dog.mode = watchdog.WatchDogMode.RESET
    return dog


def run():
    """For ever. What goes wrong is told to the host, and the board begins anew."""
    here = bridge.Board(Pico(), len(ROWS), len(COLUMNS), PIXELS, KIND)
    dog = watched()
    try:
        here.start(cause())
        while True:
            here.step()
            dog.feed()
    except Exception as fault:
        here.log(f"begins anew after {fault!r}")
    finally:
        supervisor.reload()


if usb_cdc.data is None:
    print("boot.py counts only after a reset: unplug the Pico and plug it in again")
else:
    run()
