"""Linear halls: sides, hysteresis, rests that drift, broken wires; and the real MCP3008 class on mock pins."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from boardctl.core.events import Doubted, Lost, Restored, Sampled
from boardctl.games.bracket import OTHELLO
from hardware.board_file import MultiplexedWiring, found, read
from hardware.ghosts import spread
from hardware.halls import Hall, Halls, Settings
from hardware.lines import of_multiplexers
from hardware.scanner import Scanned, Seen, Wiring

REST = 512
BOARD = read(found("hall-8x8"))


class Magnets:
    """What halls under a board read, each with a rest of its own; also the lines that choose one of sixteen."""

    def __init__(self, cells: int = 64, seed: int = 0) -> None:
        chance = Random(seed)
        self.rests = [REST + chance.randint(-25, 25) for _ in range(cells)]
        self.poles: dict[int, int] = {}
        """How far off rest a piece moves the reading."""
        self.fixed: dict[int, int] = {}
        self.chosen = 0
        self.closed = 0
        self.dead = False

    def choose(self, number: int) -> None:
        self.chosen = number

    def close(self) -> None:
        self.closed += 1

    def reading(self, channel: int) -> int:
        if self.dead:
            return 0
        sensor = channel * 16 + self.chosen
        return self.fixed.get(sensor, self.rests[sensor] + self.poles.get(sensor, 0))


class Input:
    """One channel of the converter."""

    def __init__(self, magnets: Magnets, channel: int) -> None:
        self._magnets, self._channel = magnets, channel

    @property
    def raw_value(self) -> int:
        return self._magnets.reading(self._channel)

    def close(self) -> None:
        self._magnets.close()


def built(magnets: Magnets, **how: object) -> Halls:
    inputs = [Input(magnets, channel) for channel in range(4)]
    return Halls(magnets, inputs, [Settings()] * len(magnets.rests), settle_s=0, wait=lambda _: None, **how)  # type: ignore[arg-type]


def test_a_hall_tells_which_side_is_up_whatever_its_rest() -> None:
    magnets = Magnets()
    scanner = built(magnets)
    assert scanner.scan() == Seen(0)
    magnets.poles = {0: 150, 17: -150, 63: 100}
    assert scanner.scan() == Seen(spread([0, 63]), spread([17]))
    magnets.poles[0] = -150
    assert scanner.scan() == Seen(spread([63]), spread([0, 17]))


def test_heads_may_be_the_pole_that_reads_below_rest() -> None:
    magnets = Magnets()
    magnets.poles = {5: 150, 6: -150}
    assert built(magnets, heads="below").scan() == Seen(spread([6]), spread([5]))


def test_pieces_that_lie_there_from_the_start_are_seen_before_any_rest_is_known() -> None:
    magnets = Magnets()
    magnets.poles = {27: 150, 28: -150}
    assert built(magnets).scan() == Seen(spread([27]), spread([28]))


def at_rest() -> Hall:
    hall = Hall(Settings(rest=0.5, threshold=0.08, hysteresis=0.02))
    for _ in range(1000):
        hall.read(0.5)
    return hall


def test_a_reading_between_the_two_thresholds_stays_what_it_was() -> None:
    hall = at_rest()
    assert [hall.read(0.5 + off) for off in (0, 0.07, 0.081, 0.07, 0.059, 0.07)] == [0, 0, 1, 1, 0, 0]
    hall = at_rest()
    assert [hall.read(0.5 + off) for off in (0, -0.081, -0.07, 0.07, 0.081)] == [0, -1, -1, 0, 1]


def test_a_rest_is_followed_while_the_cell_is_empty_and_not_while_a_piece_lies_there() -> None:
    hall = Hall(Settings(rest=0.5))
    for n in range(20_000):  # it warms up by more than the threshold, slowly
        assert hall.read(0.5 + 0.09 * n / 20_000) == 0
    assert hall.rest == pytest.approx(0.585, abs=0.006)
    rest = hall.rest
    for _ in range(20_000):
        assert hall.read(rest + 0.12) == 1
    assert hall.rest == rest


def test_a_rest_is_not_followed_all_the_way_to_a_piece_that_creeps_up() -> None:
    hall = Hall(Settings(rest=0.5))
    told = {hall.read(0.5 + 0.3 * n / 100_000) for n in range(100_000)}
    assert (told, round(hall.rest, 2)) == ({0, 1}, 0.6)


def test_the_first_look_at_a_cell_that_was_just_cleared_does_not_set_its_rest() -> None:
    hall = Hall(Settings(rest=0.5))
    hall.read(0.62)
    hall.read(0.555)  # the hand is still near
    for _ in range(20):
        hall.read(0.5)
    assert hall.rest == pytest.approx(0.5, abs=0.005)


def test_a_broken_wire_is_a_sensor_in_doubt_and_not_a_piece() -> None:
    magnets = Magnets()
    sensors = Scanned(
        built(magnets), "polarity", {"a1": 0, "b1": 1}, wiring=Wiring(of_multiplexers([0, 1, 2, 3]))
    )
    assert sensors.poll(0.0) == []
    magnets.fixed = {1: 1023}
    assert sensors.poll(0.1) == [Doubted("b1", "stuck")]
    assert sensors.findings == [
        "B1 on multiplexer 1 (channel 0 of the MCP3008) reads an end of the scale. Look for a broken wire."
    ]


@pytest.mark.parametrize("from_the_start", [True, False])
def test_a_multiplexer_without_power_is_named_once(from_the_start: bool) -> None:
    magnets = Magnets()
    sensors = Scanned(
        built(magnets),
        "polarity",
        {f"{'abcdefgh'[n % 8]}{n // 8 + 1}": n for n in range(64)},
        wiring=Wiring(of_multiplexers([0, 1, 2, 3])),
    )
    magnets.poles = dict.fromkeys(range(16, 20), 150)
    if not from_the_start:
        sensors.poll(0.0)
    magnets.fixed = dict.fromkeys(range(16, 32), 0)
    assert [type(event) for event in sensors.poll(0.1)] == [Doubted] * 16
    assert sensors.findings == [
        "Multiplexer 2 (channel 1 of the MCP3008) reads an end of the scale. Look for a broken wire."
    ]


def test_a_converter_that_answers_nothing_is_out_of_reach() -> None:
    magnets = Magnets()
    magnets.poles = {0: 150}
    sensors = Scanned(built(magnets), "polarity", {"a1": 0, "b1": 1})
    assert sensors.poll(0.0) == [Sampled("a1", "heads")]
    magnets.dead = True
    assert sensors.poll(0.1) == [Lost()]
    assert (
        sensors.fault == "the MCP3008 answers nothing but 0. Look at its supply, and at the wires of its bus."
    )
    magnets.dead = False
    assert sensors.poll(5.0) == [Restored(), Sampled("a1", "heads"), Sampled("b1", "empty")]
    sensors.close()
    assert magnets.closed == 5


# Through gpiozero

gpiozero = pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from gpiozero.pins.mock import MockFactory, MockSPIDevice  # noqa: E402

from hardware.halls import converter, halls  # noqa: E402
from hardware.sensing import sensors as sensors_of  # noqa: E402

assert isinstance(BOARD.sensors, MultiplexedWiring)
WIRING = BOARD.sensors


class Converter(MockSPIDevice):
    """An MCP3008 on mock pins, behind it the multiplexers and magnets."""

    magnets: Magnets

    def on_bit(self) -> None:
        if self.rx_bit == 12:  # start bit, mode and channel are in
            channel = self.rx_word() & 7
            chosen = sum(
                self.clock_pin.factory.pin(pin).state << bit for bit, pin in enumerate(WIRING.select)
            )
            self.magnets.chosen = int(chosen)
            self.tx_word(self.magnets.reading(channel), 12)


@pytest.fixture(autouse=True)
def default_factory() -> Iterator[None]:
    """The bus that gpiozero drives pin by pin asks for the default factory, whichever it is given."""
    before, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, MockFactory(revision="902120")
    yield
    gpiozero.Device.pin_factory = before


def on_pins(magnets: Magnets) -> MockFactory:
    factory: MockFactory = gpiozero.Device.pin_factory
    device = Converter(clock_pin=21, mosi_pin=20, miso_pin=19, select_pin=18, pin_factory=factory)
    device.magnets = magnets
    return factory


def test_halls_are_read_through_the_real_class_of_the_converter() -> None:
    magnets = Magnets()
    magnets.poles = {0: 150, 17: -150, 63: 100}
    scanner = halls(WIRING, 64, pin_factory=on_pins(magnets), wait=lambda _: None)
    assert scanner.scan() == Seen(spread([0, 63]), spread([17]))
    scanner.close()


def test_a_board_of_halls_out_of_its_file_tells_both_sides() -> None:
    magnets = Magnets()
    magnets.poles = {27: -150, 28: 150}
    with sensors_of(
        BOARD, OTHELLO.game({}).points, 64, pin_factory=on_pins(magnets), wait=lambda _: None
    ) as sensors:
        assert sensors.poll(0.0) == [Sampled("d4", "tails"), Sampled("e4", "heads")]


def test_bus_and_select_lines_are_reserved_and_given_back() -> None:
    factory = on_pins(Magnets())
    scanner = halls(WIRING, 64, pin_factory=factory, wait=lambda _: None)
    for pin in (21, WIRING.select[0]):
        with pytest.raises(gpiozero.GPIOPinInUse, match=f"GPIO{pin}"):
            gpiozero.LED(pin, pin_factory=factory)
    scanner.close()
    gpiozero.LED(WIRING.select[0], pin_factory=factory).close()


def test_a_channel_that_cannot_be_had_gives_the_select_lines_back() -> None:
    factory = on_pins(Magnets())
    led = gpiozero.LED(21, pin_factory=factory)
    with pytest.raises(gpiozero.GPIOPinInUse):
        halls(WIRING, 64, pin_factory=factory)
    assert [factory.pin(pin).function for pin in WIRING.select] == ["input"] * 4
    led.close()
    converter(WIRING, 0, pin_factory=factory).close()
    halls(WIRING, 64, pin_factory=factory).close()
