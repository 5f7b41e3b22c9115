"""A recorded trace through the judge, in virtual time: as fast as the machine goes, and the same every time."""

from __future__ import annotations

from collections.abc import Iterator

from boardctl.core.commands import Command
from boardctl.core.events import Elapsed, Event
from boardctl.core.model import Game
from boardctl.core.session import Session, Setup
from boardctl.trace import Header, Trace


def setup_of(header: Header) -> Setup:
    """What the header says of board and table."""
    return Setup(
        sensors=header.sensors,
        hold=header.hold,
        rest=header.rest,
        start=header.start,
        policy=header.policy,
        take_back=header.take_back,
        tags=header.tags,
    )


def replayed(trace: Trace, game: Game) -> Iterator[tuple[float, Command]]:
    """All that the judge answers, each with its time in seconds. Raises `MalformedTrace` at the faulty line."""
    session = Session(game, setup_of(trace.header))
    for command in session.opening():
        yield 0.0, command
    for now, event in trace.events(game.points):
        yield from passed(session, now)
        for command in session.handle(event, now):
            yield now, command


def passed(session: Session, now: float) -> Iterator[tuple[float, Command]]:
    """Let time pass up to `now`, every waiting thing at its own time."""
    while (at := session.wake_at) is not None and at <= now:
        for command in session.handle(Elapsed(), at):
            yield at, command


def take(session: Session, event: Event, now: float) -> list[Command]:
    """One event, with all that fell due before it."""
    return [*(command for _, command in passed(session, now)), *session.handle(event, now)]
