"""The board at the end of a cable: found, lost, found again, wrong, and disturbed by everything that plugs in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from boardctl.core.events import Event, Lost, Pressed, Restored, Sampled
from firmware_bridge.conversation import SETTINGS, Expected, reduced
from firmware_bridge.protocol import Can, Decoder, HostHello, Kind, Palette, Ping, Received, Scan, encoded
from tests.firmware_bridge.at import CELLS, LOST, PORT, At, back, readings
from tests.firmware_bridge.twin import Delayed, Direct, LosingFirst, Twin

RED = [(255, 0, 0)] * 64
BLUE = [(0, 0, 255)] * 64


def shown(picture: Sequence[tuple[int, int, int]]) -> bytes:
    return bytes(part for pixel in picture for part in pixel)


@pytest.fixture
def at() -> At:
    return At()


def begun(at: At) -> At:
    at.wait(0.1)
    assert at.sensors.fault is None
    return at


# Found


def test_a_board_is_found_and_tells_at_once_what_lies_on_every_cell(at: At) -> None:
    at.lay("d4")
    assert at.timed(0.02) == [(0.01, event) for event in readings("d4")]
    assert (at.link.port, at.link.fault, at.sentences) == (PORT, None, [])


def test_later_only_changes_are_told(at: At) -> None:
    begun(at).lay("d4")
    assert at.wait(0.02) == [Sampled("d4", "piece")]
    at.lay("d4", None)
    assert at.wait(5) == [Sampled("d4", "empty")]


def test_a_contact_that_bounces_is_told_once() -> None:
    at = begun(At())
    for side in ("heads", None, "heads", None, "heads"):
        at.lay("a1", side)  # type: ignore[arg-type]
        at.twin.run(b"", at.now)
    assert at.wait(0.1) == [Sampled("a1", "piece")]


def test_halls_tell_sides() -> None:
    at = At(Twin(kind=Kind.POLARITY), expected=Expected(8, 8, Kind.POLARITY, 64))
    begun(at).lay("a1", "tails")
    at.lay("h8", "heads")
    assert at.wait(0.1) == [Sampled("a1", "tails"), Sampled("h8", "heads")]
    at.lay("a1", "heads")
    assert at.wait(0.1) == [Sampled("a1", "heads")]


def test_buttons_tell_that_they_were_pressed_and_nothing_at_the_start() -> None:
    at = At(Twin(kind=Kind.PRESSES), expected=Expected(8, 8, Kind.PRESSES, 64))
    assert at.wait(1) == []
    at.lay("c3")
    assert at.wait(1) == [Pressed("c3")]
    at.lay("c3", None)
    assert at.wait(1) == []


def test_a_press_between_two_looks_is_not_missed() -> None:
    at = begun(At(Twin(kind=Kind.PRESSES), expected=Expected(8, 8, Kind.PRESSES, 64)))
    at.bench.noise = encoded(Scan(b"\1" + bytes(7)), 40) + encoded(Scan(bytes(8)), 41)
    assert at.wait(0.02) == [Pressed("a1")]


def test_a_board_that_is_not_there_is_waited_for_and_played_on_when_it_comes(at: At) -> None:
    at.pull()
    assert at.timed(10) == [(1.51, Lost())]
    assert at.sentences == ["a board on a USB port is not there; plug its cable in and play goes on"]
    assert at.sensors.findings == [
        "The sensors are out of reach: a board on a USB port is not there; plug its cable in and play goes on."
    ]
    at.lay("e5")
    at.plug("/dev/ttyUSB3")
    assert at.wait(2) == back("e5")
    assert (at.link.port, at.sensors.findings) == ("/dev/ttyUSB3", [])


def test_the_snapshot_knows_nothing_of_a_board_that_has_not_been_there(at: At) -> None:
    unknown = [Sampled(cell, "unknown") for cell in CELLS]
    assert at.sensors.snapshot() == unknown
    assert at.wait(0.1) == at.sensors.snapshot() == readings()
    at.pull()
    at.wait(2)
    assert at.sensors.snapshot() == unknown


def test_a_board_that_is_reset_by_opening_its_port_may_take_its_time() -> None:
    at = At()
    at.twin.resets_when_opened = True
    at.lay("a1")
    told = at.timed(5)
    assert told[0] == (1.51, Lost())
    assert [event for _, event in told[1:]] == back("a1")
    assert told[-1][0] < 2
    assert at.bench.opened == [PORT]


def test_what_a_modem_program_said_before_we_came_costs_no_time(at: At) -> None:
    at.twin.run(b"AT+CGMI", at.now)
    assert at.timed(0.1) == [(0.01, event) for event in readings()]


def test_a_board_that_did_not_hear_us_is_asked_again() -> None:
    at = At(transports=lambda: (LosingFirst(longer_than=1), Direct()))
    at.twin.run(b"", at.now)  # it has started long ago, and said so to nobody
    assert at.timed(1)[0] == (0.52, Sampled("a1", "empty"))


def test_a_port_that_is_no_board_is_left_for_the_next(at: At) -> None:
    console = Twin()
    console.wedged = True
    at.bench.plugged = {"/dev/ttyUSB0": console, PORT: at.twin}
    assert at.wait(5) == [Lost(), *back()]
    assert at.bench.opened == ["/dev/ttyUSB0", PORT]
    assert at.sentences == ["/dev/ttyUSB0: nothing there has said within 3 s that it is a board"]


def test_a_board_that_is_back_need_not_wait_until_something_else_was_asked(at: At) -> None:
    begun(at)
    printer = Twin()
    printer.wedged = True
    at.pull()
    at.bench.plugged["/dev/ttyUSB9"] = printer
    for seconds in (6.0, 7.1, 8.3, 9.7):
        at.wait(seconds)
        at.bench.plugged[PORT] = at.twin
        told = at.timed(2)
        assert ([event for _, event in told], told[-1][0] <= 1.6) == (back(), True)
        del at.bench.plugged[PORT]


def test_a_port_that_echoes_is_no_board(at: At) -> None:
    at.bench.plugged[PORT].wedged = True
    for _ in range(400):
        at.bench.noise = at.bench.wrote
        at.wait(0.01)
    assert at.sensors.fault is not None


# Lost and back


@pytest.mark.parametrize("port", [PORT, "/dev/ttyACM7"])
def test_a_cable_that_is_pulled_is_told_and_a_full_reading_when_it_is_back(at: At, port: str) -> None:
    begun(at).lay("d4")
    assert at.wait(1) == [Sampled("d4", "piece")]
    at.pull()
    ((when, what),) = at.timed(60)
    assert (what, 1.0 <= when <= 1.6) == (Lost(), True)
    at.lay("d4", None)
    at.lay("e4")
    at.plug(port)
    told = at.timed(2)
    assert ([event for _, event in told], told[-1][0] <= 1.1) == (back("e4"), True)


def test_a_cable_that_slips_for_a_second_is_not_missed(at: At) -> None:
    begun(at)
    at.pull()
    assert at.wait(0.4) == []
    at.lay("d4")
    at.plug()
    assert at.wait(5) == [Sampled("d4", "piece")]


def test_a_board_that_falls_silent_is_lost_after_a_second_and_a_half(at: At) -> None:
    begun(at)
    at.twin.wedged = True
    ((when, what),) = at.timed(30)
    assert (what, 1.0 <= when <= 1.51) == (Lost(), True)
    assert at.sentences[0] == f"{PORT}: it has said nothing for 1.5 s"
    at.twin.wedged = False
    assert at.wait(4.5) == back()


def test_a_board_that_was_reset_is_told_its_settings_and_its_picture_again(at: At) -> None:
    begun(at).strip.write(RED)
    at.wait(0.1)
    at.twin.reset(at.now, boot=0.3)
    assert at.twin.pixels == bytes(192)
    assert at.wait(1) == []
    assert at.twin.pixels == shown(RED)


def test_a_program_that_was_stopped_for_a_minute_reads_what_has_come_before_it_complains(at: At) -> None:
    begun(at)
    at.lay("b2")
    at.now += 60
    assert at.wait(1) == [Sampled("b2", "piece")]


def test_pulled_a_hundred_times_it_is_lost_and_back_a_hundred_times(at: At) -> None:
    begun(at)
    told: list[Event] = []
    for n in range(100):
        at.pull()
        told += at.wait(1.7 + n * 0.013)
        at.plug(f"/dev/ttyACM{n}")
        told += at.wait(2)
    assert [event for event in told if not isinstance(event, Sampled)] == [Lost(), Restored()] * 100


# Disturbed


def test_garbage_modems_and_half_frames_cost_no_more_than_the_frame_they_hit(at: At) -> None:
    begun(at)
    scan = encoded(Scan(b"\xff" * 8), 9)
    for noise in (b"AT+GCAP\r\nATZ\r", scan[:5], bytes(range(1, 256)) * 3, b"login: ", scan[:-1]):
        at.bench.noise = noise
        assert at.wait(1.2) == []


def test_what_a_modem_program_says_to_the_board_is_not_taken_for_a_picture(at: At) -> None:
    begun(at).strip.write(RED)
    at.wait(0.1)
    at.twin.run(b"AT\rATE1\rAT+CGMI\r", at.now)
    at.strip.write(BLUE)
    assert at.wait(1) == []
    assert at.twin.pixels == shown(BLUE)


def test_a_text_console_on_the_line_is_not_kept_and_not_believed(at: At) -> None:
    begun(at)
    at.twin.wedged = True
    told: list[Event] = []
    for _ in range(500):
        at.bench.noise = b"Debian GNU/Linux 12 tty\r\n" * 50
        told += at.wait(0.01)
    assert told == LOST


def test_scans_of_another_size_are_not_believed(at: At) -> None:
    begun(at)
    at.bench.noise = encoded(Scan(b"\xff" * 16), 1) + encoded(Scan(b"\xff"), 2)
    assert at.wait(1) == []


def test_lines_of_the_board_are_kept_a_few() -> None:
    at = At()
    at.twin.says = "row 3 is stuck"
    begun(at)
    assert at.link.conversation is not None
    assert list(at.link.conversation.logged) == ["row 3 is stuck"]


# Wrong


def test_a_board_unlike_its_file_is_told_with_both() -> None:
    at = At(Twin(6, 6, 36))
    assert at.wait(10) == LOST
    assert at.sentences == [
        f"{PORT}: the board file says 8 rows, 8 columns, presence, 64 pixels; the board says "
        "6 rows, 6 columns, presence, 36 pixels; change one of them"
    ]


def test_a_board_whose_pixels_are_not_used_may_have_any() -> None:
    at = begun(At(Twin(pixels=12, can=Can(0)), expected=Expected(8, 8, Kind.PRESENCE, 0)))
    assert at.sentences == []


def test_a_board_of_another_version_is_told_with_both_and_what_to_do() -> None:
    at = At(Twin(version=2))
    assert at.wait(10) == LOST
    assert at.sentences == [
        f"{PORT}: the board speaks version 2 of the protocol and this computer version 1; "
        "update boardctl on this computer"
    ]
    at.bench.plugged[PORT] = at.twin = Twin()
    assert at.wait(2) == back()


def test_a_board_that_cannot_light_its_pixels_is_told() -> None:
    at = At(Twin(can=Can.SETTINGS))
    at.wait(1)
    assert at.sentences == [f"{PORT}: the board has 64 pixels and no way to light them; flash the board anew"]


# Lights


def test_a_picture_is_shown_and_stays_while_the_program_lives(at: At) -> None:
    begun(at).strip.write(RED)
    at.wait(60)
    assert (at.twin.pixels, at.twin.frames) == (shown(RED), 1)


def test_a_board_without_a_program_goes_dark_after_two_seconds(at: At) -> None:
    begun(at).strip.write(RED)
    at.wait(1)
    heard = at.now - at.now % 0.01
    at.twin.run(b"", heard + 1.0)
    assert at.twin.pixels == shown(RED)
    at.twin.run(b"", heard + 2.1)
    assert at.twin.pixels == bytes(192)


def test_the_settings_are_told_after_every_hello_and_not_again(at: At) -> None:
    begun(at)
    at.wait(10)
    told = [each.frame for each in Decoder("host").feed(at.bench.wrote) if isinstance(each, Received)]
    assert [told.count(SETTINGS), told.count(HostHello()), told.count(Ping())] == [2, 1, 20]


def test_while_one_picture_is_on_its_way_only_the_newest_waits() -> None:
    at = At(transports=lambda: (Direct(), Delayed(0.05)))
    at.wait(1)
    for level in range(100):
        at.strip.write([(level, 0, 0)] * 64)
        at.wait(0.01)
    at.wait(0.1)
    assert at.twin.pixels == shown([(99, 0, 0)] * 64)
    assert 17 <= at.twin.frames <= 21


def test_a_picture_that_was_not_answered_is_sent_again_after_100_ms() -> None:
    at = begun(At(transports=lambda: (LosingFirst(), Direct())))
    at.strip.write(RED)
    at.wait(0.09)
    assert at.twin.frames == 0
    at.wait(0.05)
    assert (at.twin.frames, at.twin.pixels) == (1, shown(RED))


def test_a_slow_cable_is_given_the_time_that_a_picture_takes() -> None:
    at = At(transports=lambda: (Direct(), Delayed(0.25)))
    at.bench.byte_s = 10 / 9600
    at.wait(1)
    at.strip.write(RED)
    at.wait(1)
    assert at.link.conversation is not None
    assert (at.twin.frames, at.link.conversation.unanswered) == (1, 0)


def test_a_picture_written_while_the_board_is_away_is_shown_when_it_is_back(at: At) -> None:
    begun(at)
    at.pull()
    at.wait(2)
    with pytest.raises(OSError, match="a board on a USB port is not there"):
        at.strip.write(BLUE)
    at.plug()
    at.wait(2)
    assert at.twin.pixels == shown(BLUE)


def test_the_last_picture_goes_out_although_another_is_on_its_way() -> None:
    at = At(transports=lambda: (Direct(), Delayed(0.05)))
    at.wait(1)
    at.strip.write(RED)
    at.strip.write([(0, 0, 0)] * 64)
    at.strip.close()
    at.sensors.close()
    assert at.twin.pixels == bytes(192)
    assert at.twin.frames == 2


def test_a_long_strip_is_lit_by_a_palette() -> None:
    colours = [(n * 9 % 256, n % 7 * 30, n % 2 * 255) for n in range(20)]
    picture = [colours[n % 20] for n in range(250)]
    at = begun(At(Twin(pixels=250), expected=Expected(8, 8, Kind.PRESENCE, 250)))
    at.strip.write(picture)
    at.wait(0.1)
    assert at.twin.pixels == shown(picture)
    at.twin.reset(at.now, boot=0.1)
    at.wait(1)
    assert at.twin.pixels == shown(picture)


def test_a_rhythm_on_a_long_strip_is_seen_although_every_picture_has_colours_of_its_own() -> None:
    at = begun(At(Twin(pixels=100), expected=Expected(8, 8, Kind.PRESENCE, 100)))
    for level in range(100):
        at.strip.write([(level, 0, 0)] * 100)
        at.wait(0.01)
    assert at.twin.frames >= 45


def test_colours_beyond_thirty_two_are_as_near_as_they_can_be() -> None:
    picture = [(n, 255 - n, n // 2) for n in range(250)]
    colours, numbers = reduced(picture)
    Palette.of(colours)
    off = [
        abs(part - told)
        for pixel, number in zip(picture, numbers, strict=True)
        for part, told in zip(pixel, colours[3 * number :], strict=False)
    ]
    assert max(off) <= 15


def test_after_closing_nothing_is_told_and_nothing_sought(at: At) -> None:
    begun(at)
    cable = at.bench.cable
    at.sensors.close()
    at.sensors.close()
    assert cable is not None
    assert not cable.open
    at.lay("a1")
    assert (at.wait(5), at.sensors.snapshot(), at.bench.opened) == ([], [], [PORT])
    with pytest.raises(OSError, match="let go"):
        at.strip.write(RED)


def test_whatever_a_driver_raises_is_an_event(at: At) -> None:
    at.bench.refusing = TypeError("'NoneType' object cannot be interpreted as an integer")
    assert at.wait(3) == LOST
    assert at.sentences == [f"{PORT}: 'NoneType' object cannot be interpreted as an integer"]
    at.bench.refusing = None
    assert at.wait(1) == back()
