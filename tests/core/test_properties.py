"""Whatever hands do, the session records what was played; whatever happens, it neither fails nor cheats."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from boardctl.core.commands import Command
from boardctl.core.events import Doubted, Elapsed, Event, Lost, Pressed, Restored, Said, Sampled
from boardctl.core.model import Game, Rules
from boardctl.core.session import Session
from boardctl.games.bracket import BRACKET, FUNDEX, OTHELLO
from boardctl.replay import passed, replayed, setup_of
from boardctl.trace import Header, Trace, header_line, written
from boardctl.trace_lines import GIVEN
from tests.core.auditor import Auditor
from tests.core.hands import HABITS, Evening, Timed

RULES: Mapping[str, Rules] = {rules.name: rules for rules in (BRACKET, FUNDEX, OTHELLO)}
TABLES = [
    Header(rules, options={"size": size}, sensors=sensors, policy=policy)
    for size in (4, 6)
    for rules in RULES
    for sensors in ("polarity", "presence")
    for policy in ("teach", "club")
]
SOME_HANDS = settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])
SOME_EVENTS = settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])

# Clumsy hands


@st.composite
def headers(draw: st.DrawFn, sizes: tuple[int, ...] = (4, 6, 8)) -> Header:
    """A table: a game with its options, sensors, patience and policy."""
    rules = RULES[draw(st.sampled_from(sorted(RULES)))]
    options: dict[str, object] = {
        "size": draw(st.sampled_from(sizes)),
        "pass": draw(st.sampled_from(("announce", "automatic"))),
        "diagonal": draw(st.sampled_from(("standard", "mirrored", "as-laid"))),
        "practice": draw(st.sampled_from((0, 0, 0, 1, 3))),
        "empties_to_winner": draw(st.booleans()),
    }
    return Header(
        game=rules.name,
        options=options,
        sensors=draw(st.sampled_from(("polarity", "presence", "presses"))),
        hold=draw(st.sampled_from((0.03, 0.0, 0.1))),
        rest=draw(st.sampled_from((0.3, 0.5, 0.0))),
        start=draw(st.sampled_from(("laid", "empty"))),
        policy=draw(st.sampled_from(("teach", "club", "tournament"))),
        take_back=draw(st.sampled_from((2.0, 0.3, 0.0))),
    )


def evening(header: Header, seed: int, habits: Iterable[str]) -> Evening:
    """Hands with these habits at such a table; `seed` decides all that is left to chance."""
    game = RULES[header.game].game(header.options)
    return Evening(game, setup_of(header), Random(seed), habits)


def replayed_alike(header: Header, evening: Evening) -> bool:
    """Whether the session, replayed from its own trace, tells the same at the same times."""
    told = told_by_trace(as_trace(header, evening.events))
    return told == [(at, command) for at, command in evening.told if at <= evening.events[-1][0]]


@given(headers(), st.integers(0, 2**32), st.integers(1, 20), st.sets(st.sampled_from(sorted(HABITS))))
@SOME_HANDS
def test_clumsy_hands_are_understood(header: Header, seed: int, turns: int, habits: set[str]) -> None:
    table = evening(patient(header), seed, habits)
    table.play(turns)
    auditor = Auditor(table.game)
    auditor.hear(command for _, command in table.told)
    assert auditor.pieces == table.session.table.record.pieces
    assert not table.events or replayed_alike(patient(header), table)


def patient(header: Header) -> Header:
    """A table at which hands have the time that people need, with the start laid by hands or at once."""
    options = {**header.options, "practice": 0}
    if header.options.get("diagonal") == "as-laid":
        options["diagonal"] = "mirrored"
    return replace(
        header,
        options=options,
        rest=max(header.rest, 0.3),
        take_back=max(header.take_back, 0.3),
        hold=min(header.hold, 0.03),
        start="laid",
    )


@pytest.mark.parametrize("habit", sorted(HABITS))
def test_each_clumsy_habit_is_understood_alone(habit: str) -> None:
    for seed in range(16):
        evening(patient(TABLES[seed % len(TABLES)]), seed, {habit}).play(20)


# Any events whatever


@st.composite
def happenings(draw: st.DrawFn, header: Header, game: Game) -> list[Timed]:
    """Any events that such a board can give, in order of time."""
    cells = draw(st.lists(st.sampled_from(sorted(game.points)), min_size=1, max_size=16, unique=True))
    cell = st.sampled_from(cells) if draw(st.booleans()) else st.sampled_from(sorted(game.points))
    words = (
        "pass",
        "ok",
        "undo",
        "new",
        "resign",
        "draw",
        "brax",
        "keep",
        "nothing",
        "xyzzy",
        "",
        *game.players,
    )
    said = st.one_of(
        st.sampled_from(words),
        cell,
        cell.map("trust {}".format),
        cell.map("distrust {}".format),
        st.sampled_from(sorted(game.players)).map("resign {}".format),
    ).map(Said)
    doubted = st.builds(Doubted, cell, st.sampled_from(("stuck", "chatter", "back")))
    kinds: list[st.SearchStrategy[Event]] = [
        said,
        doubted,
        st.just(Elapsed()),
        st.just(Lost()),
        st.just(Restored()),
    ]
    if header.sensors == "presses":
        kinds += [st.builds(Pressed, cell)] * 12
    else:
        kinds += [st.builds(Sampled, cell, st.sampled_from(GIVEN[header.sensors]))] * 12
    gap = st.sampled_from((0.0, 0.01, 0.04, 0.1, 0.35, 0.6, 2.1, 3.1, 12.0))
    events, now = [], 0.0
    for wait, event in draw(st.lists(st.tuples(gap, st.one_of(kinds)), max_size=60)):
        now += wait
        events.append((now, event))
    return events


class TimeStoodStill(AssertionError):
    """The session never came to an end of what was due."""


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Give up if this takes longer; a session that goes round in circles would hang the tests for ever."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TimeStoodStill

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def listen(session: Session, events: list[Timed], auditor: Auditor) -> list[tuple[float, Command]]:
    """All that a session tells of these events, every command audited as it comes."""
    told = [(0.0, command) for command in session.opening()]
    auditor.hear(command for _, command in told)
    for now, event in events:
        fresh = [*passed(session, now), *((now, command) for command in session.handle(event, now))]
        auditor.hear(command for _, command in fresh)
        assert auditor.pieces == session.table.record.pieces or not auditor.labels
        told += fresh
    return told


def come_to_rest(session: Session, now: float, auditor: Auditor) -> None:
    """Let time pass with nothing happening until nothing is due any more."""
    for _ in range(200):
        at = session.wake_at
        if at is None:
            return
        assert at > now - 1e-6, f"at {now} it wants to wake at {at}"
        now = max(at, now)
        auditor.hear(session.handle(Elapsed(), now))
        assert session.wake_at is None or session.wake_at > now, "time stands still"
    raise TimeStoodStill


def as_trace(header: Header, events: list[Timed]) -> list[str]:
    """The lines of a trace, as they are written to a file."""
    return [json.dumps(header_line(header)), *(json.dumps(written(at, event)) for at, event in events)]


def told_by_trace(lines: list[str]) -> list[tuple[float, Command]]:
    """What a replay of these lines tells."""
    trace = Trace(lines)
    return list(replayed(trace, RULES[trace.header.game].game(trace.header.options)))


@given(st.data())
@SOME_EVENTS
def test_no_events_whatever_make_a_session_fail_or_record_what_the_rules_forbid(data: st.DataObject) -> None:
    header = data.draw(headers(sizes=(4, 4, 6)))
    game = RULES[header.game].game(header.options)
    events = data.draw(happenings(header, game))
    session, auditor = Session(game, setup_of(header)), Auditor(game)
    note("\n".join(as_trace(header, events)))
    with patience(20):
        listen(session, events, auditor)
        come_to_rest(session, events[-1][0] if events else 0.0, auditor)
    assert auditor.labels == [ply.move.label for ply in session.table.record.plies]


@given(st.data())
@SOME_EVENTS
def test_a_session_replayed_from_its_own_trace_tells_the_same(data: st.DataObject) -> None:
    header = data.draw(headers(sizes=(4, 4, 6)))
    game = RULES[header.game].game(header.options)
    events = [timed for timed in data.draw(happenings(header, game)) if timed[1] != Elapsed()]
    with patience(20):
        told = listen(Session(game, setup_of(header)), events, Auditor(game))
        assert told_by_trace(as_trace(header, events)) == told


@pytest.mark.slow
def test_in_five_hundred_games_of_clumsy_hands_no_move_is_recorded_that_was_not_made() -> None:
    played = asked = 0
    for seed in range(500):
        table = evening(patient(TABLES[seed % len(TABLES)]), seed, sorted(HABITS))
        table.play(70)
        played, asked = played + table.played, asked + table.asked
    print(f"{played} moves, no false commit, {asked} questions")
