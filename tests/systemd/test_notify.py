"""What a service manager hears of us, over real datagram sockets and by an injected clock."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest

from boardctl.app import Board, Play, opened, simulated
from boardctl.core.events import Event
from boardctl.core.model import Game
from boardctl.evening import _until_told
from boardctl.notify import NOBODY, Duty, Service, service
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from hardware.lights import SimulatedLights
from tests.systemd.manager import Line, line


class Clock:
    """Seconds that go by as told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def manager(tmp_path: Path) -> Iterable[Line]:
    with line(str(tmp_path / "notify")) as heard:
        yield heard


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_a_fact_reaches_a_socket_by(tmp_path: Path, kind: str) -> None:
    address = str(tmp_path / "notify") if kind == "path" else f"@boardctl/test/{os.getpid()}"
    with line(address) as heard:
        Service(address).tell("READY=1")
        assert heard.hear() == "READY=1"


def test_a_manager_that_is_gone_or_never_was_is_told_nothing(tmp_path: Path) -> None:
    Service(str(tmp_path / "gone")).tell("READY=1")
    NOBODY.tell("READY=1")


ENVIRONMENTS = [
    ({}, NOBODY),
    ({"NOTIFY_SOCKET": "/run/systemd/notify"}, Service("/run/systemd/notify")),
    ({"NOTIFY_SOCKET": "@notify"}, Service("@notify")),
    ({"NOTIFY_SOCKET": "vsock:2:9999"}, NOBODY),
    ({"WATCHDOG_USEC": "10000000"}, Service(patience=10.0)),
    ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"}, Service(patience=10.0)),
    ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"}, NOBODY),
    ({"WATCHDOG_USEC": "soon"}, NOBODY),
    ({"LISTEN_FDS": "2", "LISTEN_PID": "7"}, Service(sockets=2)),
    ({"LISTEN_FDS": "2", "LISTEN_PID": "8"}, NOBODY),
    ({"LISTEN_FDS": "2"}, NOBODY),
    ({"LISTEN_FDS": "-2", "LISTEN_PID": "7"}, NOBODY),
]


@pytest.mark.parametrize(("environ", "told"), ENVIRONMENTS)
def test_the_environment_tells_process_7(environ: dict[str, str], told: Service) -> None:
    assert service(environ, 7) == told


def test_it_is_ready_with_the_first_look_after_the_page_answers(manager: Line) -> None:
    duty = Duty(Service(manager.address), Clock())
    duty.looked()
    duty.looked()
    duty.opened()
    assert manager.rest() == []
    duty.looked()
    duty.looked()
    assert manager.rest() == ["READY=1"]


def test_a_sign_of_life_comes_with_a_look_each_third_of_the_patience(manager: Line) -> None:
    clock = Clock()
    duty = Duty(Service(manager.address, patience=9.0), clock)
    duty.opened()
    signs = []
    for tenth in range(100):
        clock.now = 100.0 + tenth / 10
        duty.looked()
        signs += [(tenth, fact) for fact in manager.rest()]
    assert signs == [(0, "READY=1"), (30, "WATCHDOG=1"), (60, "WATCHDOG=1"), (90, "WATCHDOG=1")]


def test_without_looks_there_is_no_sign_of_life(manager: Line) -> None:
    clock = Clock()
    duty = Duty(Service(manager.address, patience=9.0), clock)
    duty.looked()
    clock.now += 60
    duty.opened()
    assert manager.rest() == []


def test_who_stops_says_so_once_and_nothing_after(manager: Line) -> None:
    clock = Clock()
    duty = Duty(Service(manager.address, patience=9.0), clock)
    duty.opened()
    duty.looked()
    duty.stopping()
    clock.now += 60
    duty.looked()
    duty.stopping()
    assert manager.rest() == ["READY=1", "STOPPING=1"]


def on_a_board(clock: Clock, board=simulated) -> Play:
    return opened(
        Header("othello"), found(), Journal.in_memory(), clock=clock, wall=lambda: "2026-12-01", board=board
    )


def test_a_board_that_can_no_longer_be_looked_at_gives_no_sign_of_life(manager: Line) -> None:
    clock = Clock()

    class Dying:
        """Sensors that three seconds pass at each look of; the fourth look fails."""

        def __init__(self, board: Board) -> None:
            self._sensors, self.looks = board.sensors, 0

        def __getattr__(self, name: str) -> object:
            return getattr(self._sensors, name)

        def poll_timed(self, now: float) -> Iterable[tuple[float, Event]]:
            self.looks += 1
            clock.now += 3
            if self.looks == 4:
                raise OSError("the chip is gone")
            return self._sensors.poll_timed(now)

    def board(header: Header, game: Game) -> Board:
        made = simulated(header, game)
        return Board(Dying(made), made.lights, made.hands, made.pieces)  # type: ignore[arg-type]

    duty = Duty(Service(manager.address, patience=9.0), clock)
    duty.opened()
    with pytest.raises(OSError, match="the chip is gone"):
        asyncio.run(on_a_board(clock, board).run(duty.looked))
    assert manager.rest() == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]


def test_a_signal_ends_the_game_and_its_lights_go_dark(manager: Line) -> None:
    play = on_a_board(Clock())
    duty = Duty(Service(manager.address), Clock())

    async def shell() -> None:
        duty.opened()
        assert await asyncio.to_thread(manager.hear) == "READY=1"
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    asyncio.run(_until_told(play, shell(), duty))
    assert manager.rest() == ["STOPPING=1"]
    lights = play.board.lights
    assert isinstance(lights, SimulatedLights) and lights.showing
    play.close()
    assert not lights.showing
