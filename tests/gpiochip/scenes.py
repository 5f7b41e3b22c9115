"""Scenes on the simulated chip, each in a process of its own: the real lgpio, the real LGPIOFactory, our driver.

`python -m tests.gpiochip.scenes NAME WORDS`, started by `Chip.run`; what a scene answers is printed as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import lgpio
from gpiozero import DigitalInputDevice, InputDevice, OutputDevice
from gpiozero.pins.lgpio import LGPIOFactory

from boardctl.app import LAZY_S, SCAN_S
from boardctl.core.events import Lost, Restored, Said
from boardctl.core.model import Side
from hardware.board_file import BoardFile, found, read
from hardware.ghosts import rectangles, spread
from hardware.matrix import GroupMatrix, PinMatrix, matrix
from hardware.scanner import Scanned, Scanner
from hardware.sensing import sensors as sensors_of
from tests.gpiochip.chip import close, mapped, moments
from tests.hardware.played import GAME, Hands, recorded

STATE = mapped(Path(os.environ["GPIOCHIP_BOARD"]))
ROWS, COLUMNS = list(STATE.row_pin[: STATE.rows]), list(STATE.column_pin[: STATE.columns])
RESTS = 512


def no_wait(_seconds: float) -> None:
    """The switches of this board settle at once."""


def factory() -> LGPIOFactory:
    return LGPIOFactory(chip=0)


def reeds() -> Scanner:
    return matrix(ROWS, COLUMNS, pin_factory=factory(), wait=no_wait)


def board(name: str) -> tuple[BoardFile, Scanned]:
    file = read(found(name))
    how = {"pin_factory": factory(), "wait": no_wait, "stopwatch": lambda: 0.0}
    return file, sensors_of(file, GAME.points, 64, **how)


# What is read


def who() -> Any:
    """What the library takes this machine for."""
    pins = factory()
    return [pins.board_info.model, lgpio.gpio_get_chip_info(pins._handle)[1:]]


def scan() -> Any:
    """One scan: the switches that are seen as closed, and what it cost."""
    scanner = reeds()
    claims, calls, done = STATE.claims, STATE.calls, moments(STATE)
    seen = scanner.scan().pieces
    return {
        "kind": type(scanner).__name__,
        "seen": [number for number in range(64) if seen >> number & 1],
        "claims": claims,
        "calls": STATE.calls - calls,
        "before": done,
        "during": moments(STATE)[len(done) :],
        "after": list(STATE.drives[:28]),
        "shorts": STATE.shorts,
    }


def patterns() -> Any:
    """Two hundred boards at random: how many were read wrong, and how many of those show no rectangle."""
    scanner, chance = reeds(), Random(1)
    wrong = unexplained = 0
    for _ in range(200):
        closed = chance.sample(range(64), chance.randrange(20))
        close(STATE, closed)
        seen = scanner.scan().pieces
        wrong += seen != spread(closed)
        unexplained += seen != spread(closed) and not rectangles(seen, 8)
    return {"wrong": wrong, "unexplained": unexplained, "shorts": STATE.shorts}


def push_pull() -> Any:
    """The same rows driven high where ours float, with two switches of a column closed: how often that is a short."""
    close(STATE, [0, 8])
    chip = lgpio.gpiochip_open(0)
    lgpio.group_claim_output(chip, ROWS, [1] * len(ROWS))
    lgpio.group_claim_input(chip, COLUMNS, lgpio.SET_PULL_UP)
    lgpio.group_write(chip, ROWS[0], 0b11111110, 0b11111111)
    return STATE.shorts


def blamed() -> Any:
    """What a board finds out about its diodes while thirty pieces come and go, one after another."""
    _, sensors = board("reed-8x8")
    chance, lying = Random(5), set[int]()
    for hundredth in range(1500):
        if hundredth % 2 == 0:
            cell = chance.randrange(64)
            if cell in lying or len(lying) < 30:
                lying ^= {cell}
            close(STATE, lying)
        sensors.poll(hundredth / 100)
    return sensors.findings


# Who has the lines


def busy() -> Any:
    """Asking for lines that somebody has; then whether they can be had once they are free."""
    told = []
    pins = factory()
    try:
        matrix(ROWS, COLUMNS, pin_factory=pins)
    except RuntimeError as fault:
        told += [type(fault).__name__, str(fault)]
    for pin in (*ROWS, *COLUMNS):
        STATE.holder[pin].value = b""
    with matrix(ROWS, COLUMNS, pin_factory=pins, wait=no_wait) as scanner:
        told.append(scanner.scan().pieces)
    return told


def twice() -> Any:
    """A second user of one row in this process."""
    pins = factory()
    told = []
    with matrix(ROWS, COLUMNS, pin_factory=pins):
        try:
            InputDevice(ROWS[0], pin_factory=pins)
        except Exception as fault:  # its kind is what is asked for
            told += [type(fault).__name__, str(fault).split(" by ")[0]]
    chip = lgpio.gpiochip_open(0)
    for pin in (*ROWS, *COLUMNS):  # closed means free for anybody, at once
        lgpio.gpio_claim_input(chip, pin)
    return told


# How lines begin and end


def glitch(way: str) -> Any:
    """What rows do until the first scan: with gpiozero's devices, pin by pin, or as groups."""
    pins = factory()
    if way == "devices":
        _devices = [OutputDevice(pin, active_high=False, pin_factory=pins) for pin in ROWS]
        return [drives for _, drives in moments(STATE)]
    with {"pins": PinMatrix, "groups": GroupMatrix}[way](ROWS, COLUMNS, pin_factory=pins):
        return [drives for _, drives in moments(STATE)]


def alerts(way: str) -> Any:
    """How many columns are watched for edges, which costs a thread that polls."""
    pins = factory()
    if way == "devices":
        _devices = [DigitalInputDevice(pin, pull_up=True, pin_factory=pins) for pin in COLUMNS]
        return STATE.alerts
    with {"pins": PinMatrix, "groups": GroupMatrix}[way](ROWS, COLUMNS, pin_factory=pins) as scanner:
        scanner.scan()
    return STATE.alerts


# Faults


def fault() -> Any:
    """The chip fails for two seconds."""
    _, sensors = board("reed-8x8")
    close(STATE, [27, 28])
    told = [len(sensors.poll(0.0))]
    for hundredth in range(1, 600):
        STATE.broken = 100 <= hundredth < 300
        if hundredth == 200:
            close(STATE, [35])
        events = sensors.poll(hundredth / 100)
        if events:
            told.append(
                [hundredth, len(events), isinstance(events[0], Lost), isinstance(events[0], Restored)]
            )
    return [*told, [event.cell for event in sensors.snapshot() if event.sees == "piece"]]  # type: ignore[union-attr]


# Boards out of their files


def panel(name: str) -> Any:
    """A board with buttons beside it: what a scan costs, and what a button says that is held."""
    file = read(found(name))
    cells = {f"{x}.{y}": (float(x), float(y)) for x, y in file.grid.spots}
    sensors = sensors_of(file, cells, 3, pin_factory=factory(), wait=no_wait)
    calls = STATE.calls
    sensors.poll(0.0)
    calls = STATE.calls - calls
    STATE.pressed[file.panel["undo"]] = 1
    said = [event.word for n in range(1, 10) for event in sensors.poll(n / 100) if isinstance(event, Said)]
    return [calls, said]


def game(name: str, row: str) -> Any:
    """A whole real game with bouncing contacts on the reeds or halls of a board."""
    file, sensors = board(name)
    lying: set[int] = set()

    def reed(number: int, side: Side | None) -> None:
        lying.add(number) if side else lying.discard(number)
        close(STATE, lying)

    def magnet(number: int, side: Side | None) -> None:
        off = {"heads": 150, "tails": -150}[side] if side else 0
        STATE.hall[number // 16][number % 16] = RESTS + off

    if file.kind == "polarity":
        for number in range(64):
            magnet(number, None)
    calls = STATE.calls
    hands = Hands(file, sensors, magnet if file.kind == "polarity" else reed, seed=int(row))
    played = hands.play(recorded(int(row)))
    return {
        "played": played,
        "ended": hands.session.table.ended is not None,
        "score": dict(hands.session.table.record.position.score),
        "findings": sensors.findings,
        "calls": (STATE.calls - calls) / sensors.times.count,
        "transfers": STATE.transfers / sensors.times.count,
        "shorts": STATE.shorts,
    }


# Costs, for the bench


def objects() -> Callable[[], object]:
    """A scan through gpiozero's devices."""
    pins = factory()
    rows = [OutputDevice(pin, active_high=False, pin_factory=pins) for pin in ROWS]
    columns = [InputDevice(pin, pull_up=True, pin_factory=pins) for pin in COLUMNS]

    def look() -> None:
        for row in rows:
            row.on()
            for column in columns:
                _ = column.value
            row.off()

    return look


def states() -> Callable[[], object]:
    """A scan through `pin.state`."""
    pins = factory()
    rows, columns = [pins.pin(pin) for pin in ROWS], [pins.pin(pin) for pin in COLUMNS]
    for pin in rows:
        pin.function = "output"
        pin.state = 1
    for pin in columns:
        pin.input_with_pull("up")

    def look() -> None:
        for row in rows:
            row.state = 0
            for column in columns:
                _ = column.state
            row.state = 1

    return look


def singles() -> Callable[[], object]:
    """A scan through single reads of lgpio, rows open drain."""
    chip = lgpio.gpiochip_open(0)
    for pin in ROWS:
        lgpio.gpio_claim_output(chip, pin, 1, lgpio.SET_OPEN_DRAIN)
    for pin in COLUMNS:
        lgpio.gpio_claim_input(chip, pin, lgpio.SET_PULL_UP)

    def look() -> None:
        for row in ROWS:
            lgpio.gpio_write(chip, row, 0)
            for column in COLUMNS:
                lgpio.gpio_read(chip, column)
            lgpio.gpio_write(chip, row, 1)

    return look


def ours() -> Callable[[], object]:
    """Our scan, the time to settle left out."""
    return reeds().scan


def settled() -> Callable[[], object]:
    """Our scan as it is, with the time to settle."""
    return matrix(ROWS, COLUMNS, pin_factory=factory()).scan


def cost(way: str) -> Any:
    """Kernel calls and microseconds of a scan, the best of five runs."""
    look = {"objects": objects, "states": states, "singles": singles, "ours": ours, "settled": settled}[way]()
    calls = STATE.calls
    look()
    calls = STATE.calls - calls
    return [calls, min(_timed(look) for _ in range(5)) * 1e6]


def _timed(look: Callable[[], object], times: int = 400) -> float:
    start = time.perf_counter()
    for _ in range(times):
        look()
    return (time.perf_counter() - start) / times


def idle(seconds: str, *busy: str) -> Any:
    """The part of a processor that a board takes, and scans a second: quiet, or with a piece that comes and goes."""
    sensors = sensors_of(read(found("reed-8x8")), GAME.points, 64, pin_factory=factory())
    close(STATE, [27, 28, 35, 36])
    _scanned_for(sensors, 0.1 if busy else 1.5, busy=bool(busy))  # until the board counts as quiet
    scans, spent, began = sensors.times.count, time.process_time(), time.monotonic()
    _scanned_for(sensors, float(seconds), busy=bool(busy))
    took = time.monotonic() - began
    return [(time.process_time() - spent) / took, (sensors.times.count - scans) / took]


def _scanned_for(sensors: Scanned, seconds: float, *, busy: bool) -> None:
    """Ask as often as `Play.run` does."""
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        if busy:
            STATE.closed[0] = int(now * 2) % 2
        sensors.poll(now)
        time.sleep(SCAN_S if busy else LAZY_S)


SCENES: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        who, scan, patterns, push_pull, blamed, busy, twice, glitch, alerts, fault, panel, game, cost, idle
    )
}  # fmt: skip

if __name__ == "__main__":
    name, *words = sys.argv[1:]
    print(json.dumps(SCENES[name](*words)))
