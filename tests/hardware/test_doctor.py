"""What the doctor finds on machines that are well and on machines with each fault that people have met."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware import neopixels
from hardware.board_file import BoardFile, Pixels
from hardware.doctor import LOOKS, findings, lit, read, this_machine
from hardware.doctoring.case import Case, Said, older
from hardware.doctoring.machine import CHIP_INFO_SIZE, LINE_INFO_SIZE, NotLoaded, holder_in, label_in
from hardware.lights import DARK, Pixel
from hardware.neopixels import Facts, NoStrip
from tests.gpiochip import chip as chips
from tests.gpiochip.chip import Chip
from tests.hardware.patients import (
    BARE,
    BLINKA,
    FIVE,
    HALLS,
    LGPIO,
    PC,
    PIO,
    PWM,
    REED,
    SERIAL,
    ZERO,
    Patient,
    lit_through,
)


def told(patient: Patient, board: BoardFile | None, root: Path) -> list[str]:
    return [str(finding) for finding in findings(patient.case(root, board))]


def amiss(patient: Patient, board: BoardFile | None, root: Path) -> list[str]:
    """What is wrong, and what could not be looked at."""
    return [
        line for line in told(patient, board, root) if line.startswith("wrong") or "could not look" in line
    ]


def line(check: str, patient: Patient, board: BoardFile | None, root: Path) -> str:
    (found,) = findings(patient.case(root, board), {check: LOOKS[check]})
    return str(found)


# The healthy


def test_a_healthy_pi_zero_2_on_bookworm_is_told_so(tmp_path: Path) -> None:
    assert told(ZERO, REED, tmp_path) == [
        "ok     model          Raspberry Pi Zero 2 W Rev 1.0",
        "ok     system         Raspberry Pi OS on Debian GNU/Linux 12 (bookworm)",
        "ok     python         3.11.2",
        "ok     packages       into the virtual environment /opt/boardctl",
        "ok     power          no under-voltage since the start",
        "ok     room           more than 100 MB are free for /home/pi/.local/state/boardctl",
        "ok     clock          set by the network",
        "ok     chip           /dev/gpiochip0, pinctrl-bcm2835",
        "ok     lgpio          lgpio 0.2.2.0",
        "ok     gpiozero       gpiozero 2.0.1.post3",
        "ok     factory        lgpio",
        "ok     lgpio folder   one of its own, below /tmp",
        "ok     lines          all are free",
        "ok     spi            /dev/spidev0.0 for its pixels",
        "ok     pixels         64 pixels through spi at GPIO10",
        "ok     spi buffer     792 bytes of 4096",
        "ok     spi clock      core_freq=250",
        "skip   root           no pixels that need root",
        "skip   audio          no pixels through PWM",
        "skip   pio            no pixels through PIO of a Pi 5",
        "ok     blinka         Blinka 10.0.0",
        "ok     pixel driver   rpi_ws281x and gpiod",
        "skip   serial port    no cable is needed, and none is plugged in",
        "ok     serial         pyserial 3.5, cobs 1.2.2",
        "skip   console        no board at GPIO14 and 15",
        "ok     modems         ModemManager does not run",
    ]


def test_a_healthy_pi_5_on_trixie_is_told_so(tmp_path: Path) -> None:
    assert told(FIVE, PIO, tmp_path) == [
        "ok     model          Raspberry Pi 5 Model B Rev 1.0",
        "ok     system         Raspberry Pi OS on Debian GNU/Linux 13 (trixie)",
        "ok     python         3.13.5",
        "ok     packages       into the virtual environment /opt/boardctl",
        "ok     power          no under-voltage since the start",
        "ok     room           more than 100 MB are free for /home/pi/.local/state/boardctl",
        "ok     clock          set by the network",
        "ok     chip           /dev/gpiochip0, pinctrl-rp1",
        "ok     lgpio          lgpio 0.2.2.0",
        "ok     gpiozero       gpiozero 2.0.1.post3",
        "ok     factory        lgpio",
        "ok     lgpio folder   one of its own, below /tmp",
        "ok     lines          all are free",
        "skip   spi            no SPI is needed",
        "ok     pixels         64 pixels through pio at GPIO18",
        "skip   spi buffer     no pixels through SPI",
        "skip   spi clock      no pixels through SPI of a Raspberry Pi",
        "skip   root           no pixels that need root",
        "skip   audio          no pixels through PWM",
        "ok     pio            /dev/pio0",
        "ok     blinka         Blinka 10.0.0",
        "ok     pixel driver   adafruit-blinka-raspberry-pi5-neopixel and gpiod",
        "skip   serial port    no cable is needed, and none is plugged in",
        "ok     serial         pyserial 3.5, cobs 1.2.2",
        "skip   console        no board at GPIO14 and 15",
        "ok     modems         ModemManager does not run",
    ]


def test_a_pc_is_told_what_is_missing_there_and_nothing_of_that_is_wrong(tmp_path: Path) -> None:
    assert told(PC, None, tmp_path) == [
        "skip   model          this is no Raspberry Pi; the simulated board plays here",
        "ok     system         Debian GNU/Linux 12 (bookworm)",
        "ok     python         3.12.3",
        "ok     packages       into the virtual environment /opt/boardctl",
        "skip   power          this is no Raspberry Pi",
        "ok     room           more than 100 MB are free for /home/anna/.local/state/boardctl",
        "skip   clock          nothing here tells whether it is right",
        "skip   chip           missing here: no chip with the pins of a Raspberry Pi",
        "skip   lgpio          missing here: lgpio does not load (ModuleNotFoundError: No module named 'lgpio')",
        "skip   gpiozero       missing here: gpiozero is not installed",
        "ok     factory        lgpio",
        "ok     lgpio folder   one of its own, below /tmp",
        "skip   lines          no board is named",
        "skip   spi            no SPI is needed",
        "skip   pixels         no pixels are needed here",
        "skip   spi buffer     no pixels through SPI",
        "skip   spi clock      no pixels through SPI of a Raspberry Pi",
        "skip   root           no pixels that need root",
        "skip   audio          no pixels through PWM",
        "skip   pio            no pixels through PIO of a Pi 5",
        "skip   blinka         missing here: board does not load (NotImplementedError: Board not supported.)",
        "skip   pixel driver   no pixels of a Raspberry Pi",
        "skip   serial port    no cable is needed, and none is plugged in",
        "skip   serial         missing here: pyserial and cobs not installed",
        "skip   console        no board at GPIO14 and 15",
        "ok     modems         ModemManager does not run",
    ]


def test_a_board_that_needs_it_makes_what_a_pc_lacks_wrong(tmp_path: Path) -> None:
    pip = "/opt/boardctl/bin/pip install"
    assert amiss(PC, REED, tmp_path) == [
        "wrong  model          this is no Raspberry Pi, and the board hangs on the pins of one; "
        "run boardctl on a Raspberry Pi, or play on a simulated board: boardctl play",
        "wrong  lgpio          lgpio does not load (ModuleNotFoundError: No module named 'lgpio'); "
        f"{pip} 'lgpio>=0.2.2'",
        f"wrong  gpiozero       gpiozero is not installed; {pip} 'gpiozero>=2.0.1.post3'",
        "wrong  blinka         board does not load (NotImplementedError: Board not supported.); "
        f"{pip} 'boardctl[pi]'",
    ]


def test_a_healthy_cable_is_told_by_its_name(tmp_path: Path) -> None:
    cable = ZERO.but(files={"/dev/serial/by-id/usb-Pico-if00": ""})
    assert (
        line("serial port", cable, SERIAL, tmp_path)
        == "ok     serial port    /dev/serial/by-id/usb-Pico-if00"
    )
    assert amiss(cable, SERIAL, tmp_path) == []


@pytest.mark.parametrize("board", [BARE, PWM], ids=["no pixels", "pixels through PWM"])
def test_root_on_a_pi_may_do_all(board: BoardFile, tmp_path: Path) -> None:
    assert (
        amiss(ZERO.but(superuser=True, user="root", files={"/home/root/.bashrc": ""}), board, tmp_path) == []
    )


# The ill


class Ill(NamedTuple):
    """A machine with one fault, a board, and the only line that is wrong."""

    story: str
    patient: Patient
    board: BoardFile
    wrong: str


NO_LGPIO = "ModuleNotFoundError: No module named 'lgpio'"
EMPTY = LGPIO._replace(file="/opt/boardctl/lib/lgpio.py", names=frozenset({"__name__"}))
BY_ID = "/dev/serial/by-id/usb-Pico-if00"
PICO = SERIAL.model_copy(update={"sensors": SERIAL.sensors.model_copy(update={"port": BY_ID})})
AT_HEADER = SERIAL.model_copy(update={"sensors": SERIAL.sensors.model_copy(update={"port": "/dev/serial0"})})
CHIP_SELECT = BARE.model_copy(update={"panel": {"ok": 8, "undo": 7}})
PIP = "/opt/boardctl/bin/pip install"
PLUGGED = ZERO.but(files={BY_ID: ""})

ILL = [
    # the fifteen that people meet most, in the order of our notes; 13 and 14 are kept from happening in the code
    Ill(
        "1 lgpio may not make its pipe where LG_WD says",
        ZERO.but(environment={"LG_WD": "/run/boardctl"}),
        BARE,
        "wrong  lgpio folder   LG_WD=/run/boardctl is no folder that pi may write in; export LG_WD=/tmp",
    ),
    Ill(
        "1 lgpio may make its pipe nowhere",
        ZERO.but(
            closed=frozenset({"/home/pi", "/tmp"}),
            files={"/home/pi/.local/state/boardctl/journal.sqlite": ""},
        ),
        BARE,
        "wrong  lgpio folder   /home/pi and /tmp are closed to pi; export LG_WD=$HOME",
    ),
    Ill(
        "2 the chip of a Pi 5 has another number than gpiozero thinks",
        FIVE.but(versions={"gpiozero": "2.0.1"}),
        BARE,
        "wrong  gpiozero       gpiozero 2.0.1 opens /dev/gpiochip4, and the pins are at /dev/gpiochip0; "
        f"{PIP} 'gpiozero>=2.0.1.post3'",
    ),
    Ill(
        "3 the virtual environment does not see the lgpio of the system",
        ZERO.but(
            modules={"lgpio": NO_LGPIO},
            files={"/opt/boardctl/pyvenv.cfg": "include-system-site-packages = false\n"},
        ),
        BARE,
        f"wrong  lgpio          lgpio does not load ({NO_LGPIO}); "
        "python3 -m venv --system-site-packages /opt/boardctl",
    ),
    Ill(
        "4 lgpio is the empty package",
        ZERO.but(modules={"lgpio": EMPTY}, versions={"lgpio": "0.0.0.2"}),
        BARE,
        "wrong  lgpio          lgpio 0.0.0.2 is empty (/opt/boardctl/lib/lgpio.py); "
        "/opt/boardctl/bin/pip uninstall -y lgpio && sudo apt install -y --reinstall python3-lgpio",
    ),
    Ill(
        "5 lgpio is not there, and pip cannot build it on trixie",
        FIVE.but(modules={"lgpio": NO_LGPIO}, files={"/usr/lib/python3/dist-packages/lgpio.py": None}),
        BARE,
        f"wrong  lgpio          lgpio does not load ({NO_LGPIO}); sudo apt install -y python3-lgpio",
    ),
    Ill(
        "6 another program has the pins",
        ZERO.but(
            held={5: "lg", 6: "lg"},
            processes={812: ("python3", "/dev/gpiochip0"), 813: ("bash", "/dev/null")},
        ),
        BARE,
        "wrong  lines          GPIO5, GPIO6 are held by 'lg' (python3, process 812); kill 812",
    ),
    Ill(
        "6 the service plays already",
        ZERO.but(held={5: "lg"}, processes={700: ("boardctl", "anon_inode:gpio-line")}),
        BARE,
        "wrong  lines          GPIO5 is held by boardctl, which plays; sudo systemctl stop boardctl",
    ),
    Ill(
        "6 somebody whom only root sees has a pin",
        ZERO.but(held={5: "lg"}),
        BARE,
        "wrong  lines          GPIO5 is held by 'lg'; sudo boardctl doctor finds the process",
    ),
    Ill(
        "6 the kernel has a pin",
        ZERO.but(held={4: "onewire@0"}, superuser=True),
        BARE,
        "wrong  lines          GPIO4 is held by the kernel, as 'onewire@0'; write other pins into the board file",
    ),
    Ill(
        "7 pixels through SPI on a Pi 5",
        FIVE,
        REED,
        "wrong  pixels         a Pi 5 drives no pixels through spi; "
        'write through = "pio" below [pixels] in the board file',
    ),
    Ill(
        "7 pixels through PIO on another Pi",
        ZERO,
        PIO,
        "wrong  pixels         only a Pi 5 drives pixels through pio; "
        'write through = "spi" and pin = 10 below [pixels] in the board file',
    ),
    Ill(
        "8 pixels through PWM without root",
        ZERO,
        PWM,
        "wrong  root           pixels at GPIO18 need root, and we are pi; "
        'write through = "spi" and pin = 10 below [pixels] in the board file',
    ),
    Ill(
        "9 the firmware knows no PIO yet",
        FIVE.but(files={"/dev/pio0": None}),
        PIO,
        "wrong  pio            /dev/pio0 is not there: the firmware is too old; "
        "sudo rpi-eeprom-update -a && sudo reboot",
    ),
    Ill(
        "9 PIO is closed to us",
        FIVE.but(closed=frozenset({"/dev/pio0"})),
        PIO,
        "wrong  pio            /dev/pio0 is closed to pi; sudo boardctl install-service",
    ),
    Ill(
        "10 the clock of SPI wanders on a Pi 3",
        ZERO.but(files={"/boot/firmware/config.txt": ON_FOR_PI_4})
        if (ON_FOR_PI_4 := "[pi4]\ncore_freq=250")
        else ZERO,
        REED,
        "wrong  spi clock      the clock of SPI is not fixed: /boot/firmware/config.txt has no core_freq=250; "
        "write core_freq=250 below [all] in /boot/firmware/config.txt and restart",
    ),
    Ill(
        "10 the clock of SPI wanders on a Pi 4",
        ZERO.but(
            files={
                "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
                "/boot/firmware/config.txt": None,
                "/boot/config.txt": "core_freq=500 # for SPI\n",
            }
        ),
        REED,
        "wrong  spi clock      the clock of SPI is not fixed: /boot/config.txt has no core_freq_min=500; "
        "write core_freq_min=500 below [all] in /boot/config.txt and restart",
    ),
    Ill(
        "11 audio drives the PWM of the pixels",
        ZERO.but(superuser=True, files={"/proc/modules": "snd_bcm2835 24576 1 - Live 0x0\n"}),
        PWM,
        "wrong  audio          analogue audio (snd_bcm2835) drives the PWM that GPIO18 needs; "
        "write dtparam=audio=off below [all] in /boot/firmware/config.txt and restart",
    ),
    Ill(
        "11 audio is switched off and still there",
        ZERO.but(
            superuser=True,
            files={
                "/proc/modules": "snd_bcm2835 24576 1 - Live 0x0\n",
                "/boot/firmware/config.txt": "dtparam=i2c_arm,audio=off\n",
            },
        ),
        PWM,
        "wrong  audio          analogue audio (snd_bcm2835) drives the PWM that GPIO18 needs; "
        "sudo reboot, for dtparam=audio=off is in /boot/firmware/config.txt already",
    ),
    Ill(
        "12 the cable is pulled",
        ZERO.but(files={"/dev/serial/by-id/usb-Other-if00": ""}),
        PICO,
        f"wrong  serial port    {BY_ID} is not there: unplugged, or another name; plug the board's cable in, "
        "or write another port below [sensors]: /dev/serial/by-id/usb-Other-if00",
    ),
    Ill(
        "12 no cable is plugged in",
        ZERO,
        SERIAL,
        "wrong  serial port    nothing is plugged in; plug the board's cable in",
    ),
    Ill(
        "12 another program reads the cable",
        PLUGGED.but(processes={640: ("screen", BY_ID)}),
        PICO,
        f"wrong  serial port    {BY_ID} is read by another, too: screen, process 640; kill 640",
    ),
    Ill(
        "15 SPI has the pins of two buttons",
        ZERO.but(held={8: "spi0 CS0", 7: "spi0 CS0"}),
        CHIP_SELECT,
        "wrong  lines          GPIO8, GPIO7 are held by the kernel, as 'spi0 CS0'; "
        "sudo raspi-config nonint do_spi 1, or write other pins into the board file",
    ),
    # more
    Ill(
        "gpiozero falls over",
        ZERO.but(versions={"gpiozero": "2.0.1.post2"}),
        BARE,
        "wrong  gpiozero       gpiozero 2.0.1.post2 falls over when it opens the chip; "
        f"{PIP} 'gpiozero>=2.0.1.post3'",
    ),
    Ill(
        "gpiozero is Debian's own",
        ZERO.but(versions={"gpiozero": "1.6.2"}),
        BARE,
        f"wrong  gpiozero       gpiozero 1.6.2 is too old for lgpio; {PIP} 'gpiozero>=2.0.1.post3'",
    ),
    Ill(
        "gpiozero is not there",
        ZERO.but(versions={"gpiozero": None}),
        BARE,
        "wrong  gpiozero       gpiozero is not installed; sudo apt install -y python3-gpiozero",
    ),
    Ill(
        "lgpio is old",
        ZERO.but(versions={"lgpio": "0.2.0.0"}),
        BARE,
        "wrong  lgpio          lgpio 0.2.0.0 is older than 0.2.2; sudo apt install -y --reinstall python3-lgpio",
    ),
    Ill(
        "there is no chip at all",
        ZERO.but(files={"/dev/gpiochip0": None}),
        BARE,
        "wrong  chip           no chip with the pins of a Raspberry Pi; "
        "boot the kernel of Raspberry Pi OS, and run boardctl outside of containers",
    ),
    Ill(
        "the chip is closed to who is in no group",
        ZERO.but(
            closed=frozenset({"/dev/gpiochip0"}),
            user="eva",
            groups=frozenset({"eva"}),
            files={"/home/eva/x": ""},
        ),
        BARE,
        "wrong  chip           /dev/gpiochip0 (pinctrl-bcm2835) is closed to eva; "
        "sudo usermod -aG gpio eva, then log in again",
    ),
    Ill(
        "the chip is closed to who joined the group a moment ago",
        ZERO.but(closed=frozenset({"/dev/gpiochip0"}), groups=frozenset({"pi"})),
        BARE,
        "wrong  chip           /dev/gpiochip0 (pinctrl-bcm2835) is closed to pi; "
        "log out and in again: pi is in the group gpio since the last login",
    ),
    Ill(
        "the chip is closed to its own group",
        FIVE.but(closed=frozenset({"/dev/gpiochip0"})),
        BARE,
        "wrong  chip           /dev/gpiochip0 (pinctrl-rp1) is closed to pi; "
        "sudo boardctl install-service, whose rules open it",
    ),
    Ill(
        "SPI is off",
        ZERO.but(files={"/dev/spidev0.0": None, "/boot/firmware/config.txt": "core_freq=250\n"}),
        REED,
        "wrong  spi            /dev/spidev0.0 is not there for its pixels; sudo raspi-config nonint do_spi 0",
    ),
    Ill(
        "SPI is switched on and not there yet",
        ZERO.but(files={"/dev/spidev0.0": None}),
        REED,
        "wrong  spi            /dev/spidev0.0 is not there for its pixels; "
        "sudo reboot, for dtparam=spi=on is in /boot/firmware/config.txt already",
    ),
    Ill(
        "SPI is closed",
        ZERO.but(closed=frozenset({"/dev/spidev0.0"}), groups=frozenset({"pi", "gpio"})),
        REED,
        "wrong  spi            /dev/spidev0.0 is closed to pi; sudo usermod -aG spi pi, then log in again",
    ),
    Ill(
        "the second bus, for halls, is off",
        ZERO,
        HALLS,
        "wrong  spi            /dev/spidev1.0 is not there for its sensors; "
        "write dtoverlay=spi1-3cs below [all] in /boot/firmware/config.txt and restart",
    ),
    Ill(
        "a long strip does not go through SPI at once",
        ZERO,
        lit_through("spi", 10, 340),
        "wrong  spi buffer     340 pixels are 4104 bytes, and SPI takes 4096 at once; "
        "write spidev.bufsiz=65536 at the end of the line in /boot/firmware/cmdline.txt and restart",
    ),
    Ill(
        "another package is called board",
        ZERO.but(modules={"board": BLINKA._replace(names=frozenset({"Board"}))}),
        REED,
        f"wrong  blinka         {BLINKA.file} is another package called board, not Blinka's; "
        f"/opt/boardctl/bin/pip uninstall -y board && {PIP} --force-reinstall adafruit-blinka",
    ),
    Ill(
        "the driver of the pixels is not there",
        ZERO.but(versions={"rpi_ws281x": None}),
        REED,
        f"wrong  pixel driver   rpi_ws281x is not installed; {PIP} 'rpi_ws281x>=5'",
    ),
    Ill(
        "the driver of the pixels is old, outside of a virtual environment",
        ZERO.but(versions={"rpi_ws281x": "4.3.4"}, venv=False),
        REED,
        "wrong  pixel driver   rpi_ws281x 4.3.4 does not know the newest models; "
        "in a virtual environment: pip install 'rpi_ws281x>=5'",
    ),
    Ill(
        "gpiod is that of bookworm",
        ZERO.but(versions={"gpiod": "1.6.3"}),
        REED,
        f"wrong  pixel driver   gpiod 1.6.3 is too old; {PIP} 'gpiod>=2.2.2,<3'",
    ),
    Ill(
        "the voltage is too low just now",
        ZERO.but(files={"/sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n"}),
        BARE,
        "wrong  power          under-voltage just now (0x50005); "
        "take a power supply that holds 5.1 V, and one of their own for the pixels",
    ),
    Ill(
        "the voltage was too low",
        FIVE.but(commands={"vcgencmd get_throttled": "throttled=0x50000"}),
        BARE,
        "wrong  power          under-voltage since the start (0x50000); "
        "take a power supply that holds 5.1 V, and one of their own for the pixels",
    ),
    Ill(
        "it is too hot",
        FIVE.but(commands={"vcgencmd get_throttled": "throttled=0xe0008"}),
        BARE,
        "wrong  power          slowed down by heat (0xe0008); give it air, or a heat sink",
    ),
    Ill(
        "the disk is full",
        ZERO.but(free=99_900_000),
        BARE,
        "wrong  room           99 MB are free for /home/pi/.local/state/boardctl; sudo apt clean",
    ),
    Ill(
        "the journal is root's since somebody said sudo",
        ZERO.but(
            files={"/home/pi/.local/state/boardctl/journal.sqlite": ""},
            closed=frozenset({"/home/pi/.local/state/boardctl/journal.sqlite"}),
        ),
        BARE,
        "wrong  room           /home/pi/.local/state/boardctl/journal.sqlite is closed to pi; "
        "sudo chown -R pi /home/pi/.local/state/boardctl",
    ),
    Ill(
        "nobody may make the folder for games",
        ZERO.but(closed=frozenset({"/home/pi"})),
        BARE,
        "wrong  room           /home/pi is closed to pi; sudo install -d -o pi /home/pi/.local/state/boardctl",
    ),
    Ill(
        "Python is old",
        ZERO.but(python="3.9.2"),
        BARE,
        "wrong  python         3.9.2 is too old; install Python 3.11 or newer",
    ),
    Ill(
        "the cable is closed to us",
        PLUGGED.but(closed=frozenset({BY_ID}), groups=frozenset({"pi"})),
        SERIAL,
        f"wrong  serial port    {BY_ID} is closed to pi; sudo usermod -aG dialout pi, then log in again",
    ),
    Ill(
        "the packages for a cable are not there",
        PLUGGED.but(versions={"pyserial": None, "cobs": None}),
        SERIAL,
        f"wrong  serial         pyserial and cobs not installed; {PIP} 'boardctl[serial]'",
    ),
    Ill(
        "the system has its console where the board is",
        ZERO.but(files={"/dev/serial0": ""}),
        AT_HEADER,
        "wrong  console        the system has its console there (console=serial0,115200); "
        "sudo raspi-config nonint do_serial_cons 1 && sudo reboot",
    ),
    Ill(
        "ModemManager talks to the board",
        PLUGGED.but(processes={512: ("ModemManager", "/dev/null")}),
        SERIAL,
        "wrong  modems         ModemManager runs and talks to a board that is plugged in; "
        "sudo systemctl disable --now ModemManager",
    ),
]


@pytest.mark.parametrize("ill", ILL, ids=lambda ill: ill.story)
def test_what_is_wrong_is_one_line_with_what_mends_it(ill: Ill, tmp_path: Path) -> None:
    assert amiss(ill.patient, ill.board, tmp_path) == [ill.wrong]


def test_every_look_has_been_seen_to_find_something_wrong() -> None:
    seen = {ill.wrong[7:].split("  ")[0].strip() for ill in ILL}
    assert LOOKS.keys() - seen == {
        "model",
        "system",
        "packages",
        "clock",
        "factory",
    }  # these only tell, on a Pi


# What is neither


TOLD = [
    (
        "system",
        ZERO.but(files={"/etc/rpi-issue": None, "/etc/os-release": "PRETTY_NAME='Ubuntu 24.04'\n"}),
        "ok     system         Ubuntu 24.04, where nobody has tried this; bookworm and trixie are known",
    ),
    (
        "system",
        ZERO.but(files={"/etc/os-release": None}),
        "skip   system         the system does not tell its name",
    ),
    (
        "packages",
        ZERO.but(venv=False),
        "ok     packages       from the system only; pip needs a virtual environment (PEP 668)",
    ),
    ("packages", PC.but(venv=False), "ok     packages       by pip, into the system's own Python"),
    (
        "power",
        FIVE.but(commands={"vcgencmd get_throttled": ""}),
        "skip   power          the firmware does not tell",
    ),
    (
        "clock",
        PC.but(commands={"timedatectl show --property=NTPSynchronized --value": "yes"}),
        "ok     clock          set by the network",
    ),
    (
        "clock",
        PC.but(commands={"timedatectl show --property=NTPSynchronized --value": "no"}),
        "skip   clock          not set by the network; games may get a wrong date",
    ),
    (
        "gpiozero",
        FIVE.but(
            versions={"gpiozero": "2.0.1"},
            files={"/dev/gpiochip0": None, "/dev/gpiochip4": ""},
            labels={"/dev/gpiochip4": "pinctrl-rp1"},
        ),
        "ok     gpiozero       gpiozero 2.0.1",
    ),
    (
        "factory",
        ZERO.but(environment={"GPIOZERO_PIN_FACTORY": "rpigpio"}),
        "ok     factory        lgpio; GPIOZERO_PIN_FACTORY=rpigpio is for other programs",
    ),
    (
        "lgpio folder",
        ZERO.but(environment={"LG_WD": "/home/pi"}),
        "ok     lgpio folder   /home/pi, as LG_WD says",
    ),
    (
        "lgpio folder",
        ZERO.but(closed=frozenset({"/tmp"})),
        "ok     lgpio folder   one of its own, below /home/pi, since /tmp is closed to pi",
    ),
    (
        "lines",
        ZERO.but(closed=frozenset({"/dev/gpiochip0"})),
        "skip   lines          the chip cannot be asked",
    ),
    (
        "modems",
        ZERO.but(
            processes={512: ("ModemManager", "/dev/null")},
            files={"/etc/udev/rules.d/60-boardctl.rules": ""},
        ),
        "ok     modems         ModemManager runs; /etc/udev/rules.d/60-boardctl.rules keeps it off the board",
    ),
]


@pytest.mark.parametrize(("check", "patient", "said"), TOLD, ids=[said for *_, said in TOLD])
def test_what_is_only_told(check: str, patient: Patient, said: str, tmp_path: Path) -> None:
    assert line(check, patient, REED, tmp_path) == said


def test_a_console_elsewhere_and_a_board_at_the_header_get_on(tmp_path: Path) -> None:
    quiet = ZERO.but(files={"/boot/firmware/cmdline.txt": "console=tty1", "/dev/serial0": ""})
    assert line("console", quiet, AT_HEADER, tmp_path) == "ok     console        /dev/serial0 is no console"


def test_a_look_that_fails_says_so_and_the_others_go_on(tmp_path: Path) -> None:
    def broken(_: Case) -> Said:
        raise OSError(5, "Input/output error\nand more")

    looks = {"broken": broken, "python": LOOKS["python"]}
    assert [str(finding) for finding in findings(ZERO.case(tmp_path, None), looks)] == [
        "skip   broken         could not look: OSError: [Errno 5] Input/output error and more",
        "ok     python         3.11.2",
    ]


def test_a_file_that_cannot_be_read_is_no_end(tmp_path: Path) -> None:
    case = ZERO.case(tmp_path, REED)
    (tmp_path / "proc/device-tree/model").unlink()
    (tmp_path / "proc/device-tree/model").mkdir()
    assert [finding.check for finding in findings(case)] == list(LOOKS)


def test_versions_are_compared_number_by_number() -> None:
    ordered = ["1.6.2", "2.0", "2.0.1", "2.0.1.post2", "2.0.1.post3", "2.0.2", "2.0.10", "2.1"]
    assert [a for a, b in pairwise(ordered) if not older(a, b) or older(b, a)] == []


# What the driver of the pixels refuses

WAYS = ("pixels", "spi", "root", "audio", "pio")
MODELS = {
    "zero": "Raspberry Pi Zero 2 W Rev 1.0",
    "five": "Raspberry Pi 5 Model B Rev 1.0",
    "module": "Raspberry Pi Compute Module 5 Rev 1.0",
}
BOTH = (True, False)
MACHINES = list(product(MODELS, (PWM, PIO, REED, lit_through("pwm", 21)), BOTH, BOTH, BOTH))


@pytest.mark.parametrize(("model", "board", "superuser", "audio", "devices"), MACHINES)
def test_the_doctor_finds_a_fault_where_the_driver_refuses_and_nowhere_else(
    model: str, board: BoardFile, superuser: bool, audio: bool, devices: bool, tmp_path: Path
) -> None:
    modules, files = "snd_bcm2835" if audio else "spidev", ("/dev/spidev0.0", "/dev/pio0") if devices else ()
    patient = ZERO.but(
        superuser=superuser,
        files={
            "/proc/device-tree/model": MODELS[model],
            "/proc/modules": f"{modules} 1\n",
            "/dev/spidev0.0": "" if devices else None,
            "/dev/pio0": "" if devices else None,
        },
    )
    looks = {check: LOOKS[check] for check in WAYS}
    sick = any(finding.state == "wrong" for finding in findings(patient.case(tmp_path, board), looks))
    here = Facts(MODELS[model], superuser, frozenset({modules}), frozenset(files))
    assert board.pixels is not None
    assert sick == (neopixels.refusal(board.pixels, here) is not None)


# Reading the real machine


def test_what_the_kernel_answers_is_read_at_its_places() -> None:
    assert label_in(struct.pack("=32s32sI", b"gpiochip0", b"pinctrl-rp1", 54)) == "pinctrl-rp1"
    taken = struct.pack("=32s32sIIQ160x16x", b"GPIO5", b"lg", 5, 0, 1)
    assert (len(taken), CHIP_INFO_SIZE, holder_in(taken)) == (LINE_INFO_SIZE, 68, "lg")
    assert holder_in(struct.pack("=32s32sIIQ160x16x", b"GPIO5", b"", 5, 0, 3)) == "somebody"
    assert holder_in(struct.pack("=32s32sIIQ160x16x", b"GPIO5", b"", 5, 0, 2)) is None


def test_a_module_is_loaded_elsewhere_and_told_with_its_names_or_the_last_words_of_python() -> None:
    machine = this_machine()
    assert "dumps" in machine.load("json").names
    assert "json" in sys.modules
    with pytest.raises(NotLoaded, match=r"^ModuleNotFoundError: No module named 'no_such'$"):
        machine.load("no_such")


def test_what_is_no_chip_is_not_asked_and_what_is_no_command_prints_nothing() -> None:
    machine = this_machine()
    with pytest.raises(OSError):
        machine.label("/dev/null")
    assert machine.command(("no-such-command",)) is None
    assert machine.command(("false",)) is None
    assert machine.command(("echo", "here")) == "here"


@pytest.mark.skipif(chips.missing() is not None, reason=str(chips.missing()))
def test_a_chip_is_asked_by_the_calls_of_the_kernel(tmp_path: Path) -> None:
    chip = Chip(chips.built(tmp_path), tmp_path)
    chip.state.holder[5].value = b"another"
    asked = (
        "from hardware.doctor import this_machine; it = this_machine()\n"
        "chip = '/dev/gpiochip0'\n"
        "print(it.label(chip), it.holder(chip, 5), it.holder(chip, 6))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env=chip.environment,
        cwd=chips.HERE.parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("pinctrl-bcm2835 another None\n", "")


# Board files


def test_every_fault_of_a_board_file_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[sensors]\nwiring = 'lines'\npins = [2, 99]\nkynd = 'presence'\n")
    board, faults = read(str(file))
    assert board is None
    assert [str(fault) for fault in faults] == [
        f"wrong  board file     {file}: sensors.pins 2: 99 cannot be; write a whole number from 0 to 27",
        f"wrong  board file     {file}: sensors.kynd: there is no such key; did you mean kind?",
    ]


def test_a_preset_is_a_board_file_and_none_is_no_fault() -> None:
    board, of_preset = read("reed-8x8")
    assert (board, [str(each) for each in of_preset]) == (
        REED,
        ["ok     board file     reed-8x8: 8x8 reed matrix"],
    )
    assert [str(each) for each in read(None)[1]] == [
        "skip   board file     none is named; --board FILE looks at one"
    ]


# The light test


class Lamps:
    """A strip that remembers its frames."""

    def __init__(self, works: int = 1_000_000) -> None:
        self.frames: list[list[Pixel]] = []
        self.closed = False
        self._works = works

    def write(self, pixels: Sequence[Pixel]) -> None:
        if len(self.frames) == self._works:
            self._works = 1_000_000
            raise RuntimeError("ws2811_init failed with code -9")
        self.frames.append(list(pixels))

    def close(self) -> None:
        self.closed = True


def test_each_pixel_is_lit_in_turn_and_all_are_dark_at_the_end() -> None:
    lamps, waits = Lamps(), list[float]()
    found = lit(lit_through("spi", 10, 3), lambda _: lamps, waits.append)
    assert str(found) == "ok     light          3 pixels were lit one after the other, white"
    white = (64, 64, 64)
    assert lamps.frames == [
        [white, DARK, DARK],
        [DARK, white, DARK],
        [DARK, DARK, white],
        [DARK, DARK, DARK],
    ]
    assert (waits, lamps.closed) == ([0.05] * 3, True)


def test_a_strip_that_fails_is_dark_and_told() -> None:
    lamps = Lamps(works=1)
    assert str(lit(REED, lambda _: lamps, lambda _: None)) == (
        "wrong  light          the strip fails: RuntimeError: ws2811_init failed with code -9; "
        "mend first what is wrong above"
    )
    assert (lamps.frames[-1], lamps.closed) == ([DARK] * 64, True)


def test_a_strip_that_cannot_be_driven_is_told_with_the_remedy() -> None:
    def refused(_: Pixels) -> Lamps:
        raise NoStrip("GPIO18 needs root for pixels; write another pin")

    assert str(lit(PWM, refused)) == "wrong  light          GPIO18 needs root for pixels; write another pin"


@pytest.mark.parametrize("board", [None, BARE, SERIAL], ids=["no board", "no pixels", "on a cable"])
def test_without_pixels_there_is_no_light_test(board: BoardFile | None) -> None:
    assert str(lit(board)) == "skip   light          the board has no pixels on this computer"
