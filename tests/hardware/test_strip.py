"""Pixels of a strip: what is sent and when, through the real NeoPixel class with its bytes recorded, and by whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from boardctl.core.commands import Debt, Light
from hardware.board_file import Pixels, found, pixel_spots, read
from hardware.legend import Palette
from hardware.lights import DARK, BudgetTooSmall, Pixel
from hardware.neopixels import Facts, NeoPixels, NoStrip, facts, refusal
from hardware.strip import NoLights, StripLights

PALETTE = Palette(("black", "white"))
WRONG = {"a1": Light("wrong")}
OWED = {"a1": Light("owed", Debt("turn", "black"))}


class Recorded:
    """A strip that remembers every frame it was sent."""

    def __init__(self) -> None:
        self.frames: list[list[Pixel]] = []
        self.closed = self.broken = False

    def write(self, pixels: Sequence[Pixel]) -> None:
        if self.broken:
            raise OSError("[Errno 5] Input/output error")
        self.frames.append(list(pixels))

    def close(self) -> None:
        self.closed = True


def lights(strip: Recorded, count: int = 4, **more: float) -> StripLights:
    under = {"a1": range(1), "b1": range(1, 2), "a2": range(3, 4), "b2": range(2, 3)}
    return StripLights(strip, count, under, PALETTE, **more)


def test_the_first_frame_is_sent_and_then_only_what_differs() -> None:
    strip = Recorded()
    shown = lights(strip)
    for now in (0.0, 0.01, 0.02, 0.9):
        shown.show({}, now)
    assert strip.frames == [[DARK] * 4]


def test_a_frame_is_sent_again_once_a_second_for_pixels_that_lost_a_bit() -> None:
    strip = Recorded()
    shown = lights(strip)
    for tenth in range(31):
        shown.show({}, tenth / 10)
    assert len(strip.frames) == 4


def test_lights_that_breathe_are_sent_thirty_times_a_second_at_most() -> None:
    strip = Recorded()
    shown = lights(strip)
    for ms in range(0, 2000, 5):
        shown.show(OWED, ms / 1000)
    assert 45 <= len(strip.frames) <= 63
    assert all(frame[1:] == [DARK] * 3 for frame in strip.frames)


def test_a_light_that_goes_dark_is_sent_at_once() -> None:
    strip = Recorded()
    shown = lights(strip)
    shown.show(OWED, 0.0)
    shown.show(OWED, 0.1)
    shown.show({}, 0.101)
    assert strip.frames[-1] == [DARK] * 4


def test_it_ends_dark() -> None:
    strip = Recorded()
    shown = lights(strip)
    shown.show(WRONG, 0.0)
    shown.show(WRONG, 0.09)
    shown.close()
    assert (strip.frames[-1], strip.closed) == ([DARK] * 4, True)


def test_a_strip_that_cannot_be_written_leaves_the_game_playable() -> None:
    strip = Recorded()
    shown = lights(strip)
    strip.broken = True
    shown.show(WRONG, 0.0)
    assert shown.fault == "[Errno 5] Input/output error"
    strip.broken = False
    shown.show(WRONG, 0.1)
    assert shown.fault is None
    NoLights().show(WRONG, 0.0)


def test_the_budget_is_kept_for_all_pixels_of_all_cells() -> None:
    strip = Recorded()
    under = {"a1": range(3), "b1": range(3, 6)}
    shown = StripLights(strip, 8, under, PALETTE, budget_ma=40, brightness=1.0)
    for ms in range(0, 1000, 10):
        shown.show({"a1": Light("wrong"), "b1": Light("wrong")}, ms / 1000)
    drawn = max(8 + 20 * sum(map(sum, frame)) / 255 for frame in strip.frames)
    assert 30 < drawn <= 40
    with pytest.raises(BudgetTooSmall, match="8 pixels at rest draw 8 mA"):
        StripLights(strip, 8, under, PALETTE, budget_ma=7)


# The real class


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """Every byte string that the real `neopixel.NeoPixel` hands to its driver."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    neopixel = pytest.importorskip("neopixel", reason="the extra `pi` is not installed")
    frames: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda _, buffer: frames.append(bytes(buffer)))
    yield frames


ZERO = Facts("Raspberry Pi Zero 2 W Rev 1.0", False, frozenset(), frozenset({"/dev/spidev0.0"}))


def test_the_bytes_are_in_the_order_of_the_strip_and_no_brightness_is_taken_twice(sent: list[bytes]) -> None:
    strip = NeoPixels(Pixels(count=2), ZERO)
    strip.write([(255, 1, 2), (3, 4, 5)])
    assert sent[-1] == bytes([1, 255, 2, 4, 3, 5])
    strip = NeoPixels(Pixels(count=2, order="RGB"), ZERO)
    strip.write([(255, 1, 2), (3, 4, 5)])
    assert sent[-1] == bytes([255, 1, 2, 3, 4, 5])


def test_four_colours_are_padded_where_their_bytes_would_pass_for_three(sent: list[bytes]) -> None:
    for count, length in ((3, 16), (4, 16), (36, 148)):
        strip = NeoPixels(Pixels(count=count, order="GRBW"), ZERO)
        strip.write([(1, 2, 3)] * count)
        assert (len(sent[-1]), sent[-1][:4]) == (length, bytes([2, 1, 3, 0]))


def test_a_whole_board_is_lit_by_the_real_class_within_its_budget_and_ends_dark(sent: list[bytes]) -> None:
    board = read(found("reed-8x8"))
    under = {f"{chr(97 + x)}{y + 1}": pixels for (x, y), pixels in pixel_spots(board).items()}
    shown = StripLights(NeoPixels(board.pixels, ZERO), 64, under, PALETTE, budget_ma=500)
    frame = dict.fromkeys(under, Light("wrong"))
    for ms in range(0, 500, 10):
        shown.show(frame, ms / 1000)
    assert max(64 + 20 * sum(each) / 255 for each in sent) <= 500
    shown.close()
    assert sent[-1] == bytes(192)


def test_the_second_row_of_a_serpentine_runs_back(sent: list[bytes]) -> None:
    board = read(found("reed-8x8"))
    under = {f"{chr(97 + x)}{y + 1}": pixels for (x, y), pixels in pixel_spots(board).items()}
    shown = StripLights(NeoPixels(board.pixels, ZERO), 64, under, PALETTE)
    shown.show({"h2": Light("wrong")}, 0.0)
    shown.show({"h2": Light("wrong")}, 0.09)
    assert [number for number in range(64) if any(sent[-1][3 * number : 3 * number + 3])] == [8]


# Who may drive one


PI5 = "Raspberry Pi 5 Model B Rev 1.0"
REFUSED = [
    (Pixels(count=1), Facts("", False, frozenset(), frozenset()), "this is no Raspberry Pi"),
    (Pixels(count=1), ZERO._replace(devices=frozenset()), "/dev/spidev0.0 is not there or closed to us; sudo"),
    (Pixels(count=1), ZERO._replace(model=PI5), 'a Pi 5 drives no pixels through spi; write through = "pio"'),
    (Pixels(count=1, through="pwm", pin=18), ZERO, "GPIO18 needs root for pixels"),
    (
        Pixels(count=1, through="pwm", pin=18),
        ZERO._replace(root=True, modules=frozenset({"snd_bcm2835"})),
        "analogue audio is on and uses the same PWM; write dtparam=audio=off",
    ),
    (Pixels(count=1, through="pio", pin=18), ZERO, "only a Pi 5 has PIO"),
    (Pixels(count=1, through="pio", pin=18), ZERO._replace(model=PI5), "/dev/pio0 is not there or closed to us"),
]  # fmt: skip


@pytest.mark.parametrize(("pixels", "here", "why"), REFUSED)
def test_a_strip_that_cannot_be_driven_is_refused_with_the_remedy(
    pixels: Pixels, here: Facts, why: str
) -> None:
    assert (refusal(pixels, here) or "").startswith(why)
    with pytest.raises(NoStrip):
        NeoPixels(pixels, here)


def test_a_strip_that_can_be_driven_is_not_refused() -> None:
    assert refusal(Pixels(count=1), ZERO) is None
    assert refusal(Pixels(count=1, through="pwm", pin=21), ZERO._replace(root=True)) is None
    pi5 = Facts(PI5, False, frozenset(), frozenset({"/dev/pio0"}))
    assert refusal(Pixels(count=1, through="pio", pin=18), pi5) is None


def test_the_facts_are_read_from_the_files_of_a_machine(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    (tmp_path / "proc/modules").write_text("snd_bcm2835 1 2 - Live\nspi_bcm2835 1 0 - Live\n")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    here = facts(tmp_path)
    assert (here.pi5, "snd_bcm2835" in here.modules, here.devices) == (True, True, {"/dev/spidev0.0"})
    assert facts(tmp_path / "nothing").model == ""
