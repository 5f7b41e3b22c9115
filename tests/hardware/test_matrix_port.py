"""The port over any scanner: what it tells and when, faults of the driver, doubts, findings, buttons of a panel."""

from __future__ import annotations

import pytest

from boardctl.core.events import Doubted, Event, Lost, Pressed, Restored, Said, Sampled
from hardware import lines
from hardware.ghosts import spread
from hardware.scanner import Scanned, Seen, Wiring

SQUARE = {f"{'abcdefgh'[x]}{y + 1}": y * 8 + x for y in range(8) for x in range(8)}
MATRIX = Wiring(lines.of_matrix([5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]), 8)


class Reeds:
    """A scanner whose switches a test closes."""

    def __init__(self) -> None:
        self.bits = self.tails = self.broken = self.scans = 0
        self.fault: Exception | None = None
        self.closed = False

    def scan(self) -> Seen:
        self.scans += 1
        if self.fault:
            raise self.fault
        return Seen(self.bits, self.tails, self.broken)

    def close(self) -> None:
        self.closed = True


def port(reeds: Reeds, kind: str = "presence", **how: object) -> Scanned:
    return Scanned(reeds, kind, {"a1": 0, "b1": 1, "a2": 2}, stopwatch=lambda: 0.0, **how)  # type: ignore[arg-type]


def test_the_first_poll_tells_what_lies_there_and_later_ones_what_changed() -> None:
    reeds = Reeds()
    reeds.bits = 0b001
    sensors = port(reeds)
    assert sensors.poll_timed(1.0) == [(1.0, Sampled("a1", "piece"))]
    reeds.bits = 0b110
    assert sensors.poll(1.01) == [Sampled("a1", "empty"), Sampled("b1", "piece"), Sampled("a2", "piece")]
    assert sensors.poll(1.02) == []
    assert sensors.snapshot() == [Sampled("a1", "empty"), Sampled("b1", "piece"), Sampled("a2", "piece")]


def test_halls_tell_which_side_is_up() -> None:
    reeds = Reeds()
    sensors = port(reeds, "polarity")
    reeds.bits, reeds.tails = 0b001, 0b010
    assert sensors.poll(1.0) == [Sampled("a1", "heads"), Sampled("b1", "tails")]
    reeds.bits, reeds.tails = 0b000, 0b011
    assert sensors.poll(1.01) == [Sampled("a1", "tails")]


def test_a_button_is_told_when_it_goes_down_and_not_when_it_comes_up() -> None:
    reeds = Reeds()
    sensors = port(reeds, "presses")
    reeds.bits = 0b010
    assert sensors.poll(1.0) == [Pressed("b1")]
    reeds.bits = 0b000
    assert sensors.poll(1.01) == []
    assert sensors.snapshot() == []


def test_a_quiet_board_is_scanned_at_its_idle_rate_and_a_busy_one_at_its_full() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    for n in range(300):
        reeds.bits = n // 5 % 2 if n < 100 else 0
        sensors.poll(n / 100)
    assert 195 <= reeds.scans <= 225  # a second and the one after it at 100 Hz, the third at 20 Hz


def test_a_driver_that_fails_is_out_of_reach_once_and_back_with_everything() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    sensors.poll(0.0)
    reeds.fault = OSError(5, "Input/output error")
    assert sensors.poll(0.05) == [Lost()]
    assert sensors.fault == "[Errno 5] Input/output error"
    assert sensors.snapshot() == [Sampled(cell, "unknown") for cell in ("a1", "b1", "a2")]
    assert [event for n in range(1, 300) for event in sensors.poll(0.05 + n / 100)] == []
    assert reeds.scans < 12  # it is tried less and less often
    reeds.fault, reeds.bits = None, 0b100
    assert sensors.poll(10.0) == [
        Restored(), Sampled("a1", "empty"), Sampled("b1", "empty"), Sampled("a2", "piece"),
    ]  # fmt: skip


def test_a_driver_that_fails_again_is_told_again_and_tried_again_at_once() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    for begin in (0.0, 100.0):
        reeds.fault = OSError("gone")
        assert [event for n in range(500) for event in sensors.poll(begin + n / 100)] == [Lost()]
        reeds.fault = None
        assert sensors.poll(begin + 50)[0] == Restored()
    before, reeds.fault = reeds.scans, OSError("gone")
    assert [event for n in range(20) for event in sensors.poll(200 + n / 100)] == [Lost()]
    assert reeds.scans - before == 3  # the first, and 50 and 150 ms after it


def test_a_closed_board_tells_nothing_and_has_let_go() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    sensors.close()
    sensors.close()
    assert (sensors.poll(1.0), sensors.snapshot(), reeds.closed) == ([], [], True)


def test_a_button_of_the_panel_says_its_word_once_it_is_held() -> None:
    pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
    from gpiozero.pins.mock import MockFactory

    from hardware.matrix import Buttons

    factory = MockFactory(revision="902120")
    sensors = port(Reeds(), panel=Buttons({"pass": 20, "undo": 21}, pin_factory=factory))
    sensors.poll(0.0)
    factory.pin(21).drive_low()
    told = [(n, event) for n in range(30) for event in sensors.poll(5 + n / 100)]
    assert told == [(3, Said("undo"))]  # though a quiet board is scanned every fortieth millisecond
    factory.pin(21).drive_high()
    assert sensors.poll(6.0) == []
    factory.pin(21).drive_low()
    assert sensors.poll(6.1) == []
    factory.pin(21).drive_high()
    assert sensors.poll(6.12) == []
    sensors.close()


# Doubts


def board(reeds: Reeds, **how: object) -> Scanned:
    return Scanned(reeds, "presence", SQUARE, wiring=MATRIX, stopwatch=lambda: 0.0, **how)  # type: ignore[arg-type]


def played(sensors: Scanned, reeds: Reeds, begin: float, *scans: int) -> list[Event]:
    """What is told of these scans, a hundredth of a second apart."""
    told: list[Event] = []
    for number, bits in enumerate(scans):
        reeds.bits = bits
        told += sensors.poll(begin + number / 100)
    return told


def test_a_chattering_contact_is_told_once_and_keeps_silent_until_it_has_been_quiet() -> None:
    reeds = Reeds()
    sensors = board(reeds)
    told = played(sensors, reeds, 0.0, *(1 - n % 2 for n in range(200)))
    assert told[:2] == [Sampled("a1", "piece"), Sampled("a1", "empty")]
    assert [event for event in told if not isinstance(event, Sampled)] == [Doubted("a1", "chatter")]
    assert told[-1] == Doubted("a1", "chatter")
    assert sensors.findings == [
        "A1 on row 1 (GPIO5), column 1 (GPIO4) chatters. Look for a loose wire, or a magnet at the edge of its field."
    ]
    assert sensors.snapshot()[0] == Sampled("a1", "unknown")
    assert played(sensors, reeds, 11.0, 1) == []
    assert played(sensors, reeds, 22.0, 1) == [Sampled("a1", "piece"), Doubted("a1", "back")]
    assert sensors.findings == []


def test_a_reed_that_bounces_and_hands_in_a_hurry_are_no_chatter() -> None:
    reeds = Reeds()
    sensors = board(reeds)
    hurry = [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1] + 28 * [0]
    told = played(sensors, reeds, 0.0, *(hurry * 20))
    assert {type(event) for event in told} == {Sampled}


def test_a_line_that_is_closed_from_the_start_is_set_aside_at_once() -> None:
    reeds = Reeds()
    reeds.bits = 0xFF << 8
    assert board(reeds).poll(0.0) == [Doubted(f"{file}2", "stuck") for file in "abcdefgh"]


def test_a_column_that_closes_from_end_to_end_at_once_is_stuck_and_its_cells_are_set_aside() -> None:
    reeds = Reeds()
    sensors = board(reeds)
    column = spread(range(2, 64, 8))
    assert played(sensors, reeds, 0.0, spread([2, 3]), spread([2, 3]) | column) == [
        Sampled("c1", "piece"), Sampled("d1", "piece"), *(Doubted(f"c{row}", "stuck") for row in range(1, 9)),
    ]  # fmt: skip
    assert sensors.findings == ["Column 3 (GPIO27) reads closed from end to end. Look for a short to ground."]
    assert played(sensors, reeds, 1.0, column, spread([2])) == [Sampled("d1", "empty")]
    assert played(sensors, reeds, 1.9, spread([2])) == []  # for a second it has to stay well
    assert played(sensors, reeds, 2.1, spread([2])) == [
        Sampled("c1", "piece"), Doubted("c1", "back"),
        *(event for row in range(2, 9) for event in (Sampled(f"c{row}", "empty"), Doubted(f"c{row}", "back"))),
    ]  # fmt: skip
    assert sensors.findings == []


def test_a_row_that_goes_dead_does_not_take_its_pieces_off_the_board() -> None:
    reeds = Reeds()
    sensors = board(reeds)
    row, other = spread([32, 34, 36]), spread([1])
    played(sensors, reeds, 0.0, spread([32]), spread([32, 34]), row, row | other)
    assert played(sensors, reeds, 1.0, other) == [Doubted(f"{file}5", "stuck") for file in "abcdefgh"]
    assert sensors.findings == ["Row 5 (GPIO26) went dead: all its cells opened at once. Look at its wire."]
    back = played(sensors, reeds, 2.0, row | other)
    assert [event for event in back if isinstance(event, Doubted)] == [
        Doubted(f"{x}5", "back") for x in "abcdefgh"
    ]
    assert Sampled("a5", "piece") in back


def test_a_loose_wire_of_a_row_is_one_finding_and_sets_its_cells_aside_once() -> None:
    reeds = Reeds()
    sensors = board(reeds)
    row = spread([32, 34, 36])
    told = played(sensors, reeds, 0.0, *(row | 1 if n % 2 else 1 for n in range(1, 200)))
    assert told[4:] == [
        Doubted(f"{file}5", "stuck") for file in "abcdefgh"
    ]  # and nothing more for two seconds
    assert [finding[:24] for finding in sensors.findings] == ["Row 5 (GPIO26) went dead"]
    played(sensors, reeds, 2.1, row | 1)
    assert [finding[:23] for finding in sensors.findings] == ["Row 5 (GPIO26) chatters"]
    told = played(sensors, reeds, 4.0, row | 1) + played(sensors, reeds, 20.0, row | 1)
    assert [event.cell for event in told if isinstance(event, Doubted)] == [
        "b5", "d5", "f5", "g5", "h5", "a5", "c5", "e5",
    ]  # fmt: skip


def test_a_button_that_stays_down_is_stuck_until_it_comes_up() -> None:
    reeds = Reeds()
    sensors = port(reeds, "presses")
    reeds.bits = 0b010
    assert sensors.poll(0.0) == [Pressed("b1")]
    assert [event for n in range(1, 40) for event in sensors.poll(float(n))] == [Doubted("b1", "stuck")]
    assert sensors.findings == ["B1 is stuck. Look for a jammed button or a short."]
    reeds.bits = 0
    assert sensors.poll(50.0) == [Doubted("b1", "back")]
    reeds.bits = 0b010
    assert sensors.poll(51.0) == [Pressed("b1")]


def test_a_hall_that_reads_an_end_of_the_scale_is_stuck() -> None:
    reeds = Reeds()
    sensors = port(reeds, "polarity")
    reeds.broken = reeds.bits = 0b100
    assert sensors.poll(0.0) == [Doubted("a2", "stuck")]
    assert sensors.findings == ["A2 reads an end of the scale. Look for a broken wire."]
    reeds.broken = 0
    assert sensors.poll(1.0) == [Sampled("a2", "heads"), Doubted("a2", "back")]


def test_what_was_in_doubt_is_unknown_when_the_sensors_are_back() -> None:
    reeds = Reeds()
    sensors = port(reeds, "polarity")
    reeds.broken = 0b001
    sensors.poll(0.0)
    reeds.fault = OSError("gone")
    assert sensors.poll(1.0) == [Lost()]
    assert sensors.findings[0] == "The sensors are out of reach: gone."
    reeds.fault = None
    assert sensors.poll(3.0) == [
        Restored(), Sampled("a1", "unknown"), Sampled("b1", "empty"), Sampled("a2", "empty"),
    ]  # fmt: skip


# Scan times


def test_scans_that_take_long_are_made_less_often_and_that_is_said() -> None:
    reeds, clock = Reeds(), iter(range(100_000))
    sensors = Scanned(reeds, "presence", SQUARE, wiring=MATRIX, stopwatch=lambda: next(clock) * 0.008)
    for n in range(1000):
        reeds.bits = n // 100 % 2
        sensors.poll(n / 1000)
    assert 55 <= reeds.scans <= 65  # the first period is a short one
    assert (round(sensors.times.median, 6), round(sensors.times.worst, 6)) == (0.008, 0.008)
    assert sensors.findings[-1] == "A scan takes 8.0 ms, so there are 62 a second, not 100."


# Without diodes


def test_without_diodes_the_corners_of_a_rectangle_stay_what_they_were() -> None:
    reeds = Reeds()
    sensors = Scanned(reeds, "presence", SQUARE, wiring=MATRIX._replace(diodes=False), stopwatch=lambda: 0.0)
    assert played(sensors, reeds, 0.0, spread([0, 1]), spread([0, 1, 8, 9])) == [
        Sampled("a1", "piece"), Sampled("b1", "piece"),
    ]  # fmt: skip
    assert sensors.findings == ["A1, B1, A2, B2 cannot be told apart without diodes. Take one of them off."]
    assert played(sensors, reeds, 1.0, spread([1, 8])) == [Sampled("a1", "empty"), Sampled("a2", "piece")]
    assert sensors.findings == []
