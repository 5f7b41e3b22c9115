"""How long things take on this machine: `make bench` prints one table; `--markdown` prints it for the README.

Everything is measured in one run, so that the rows can be compared. Nothing here is a test: machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median

from boardctl.app import Play
from boardctl.core.commands import Lit, Moved, told
from boardctl.core.events import Elapsed, Event, Pressed, Said, Sampled, Sensors
from boardctl.core.model import Game, Position
from boardctl.core.session import Session, Setup
from boardctl.games.bracket import OTHELLO
from boardctl.plugins import found
from boardctl.replay import replayed
from boardctl.shells.journal import Journal
from boardctl.trace import Header, Trace
from tests.bench_gpio import Row, gpio_rows
from tests.core.movers import Movers

HERE = Path(__file__).parent
GAMES = HERE / "data" / "games_wthor_1977_2025.tsv"
WHOLE_GAMES = ("*real-game*.trace.jsonl", "*whole-game*.trace.jsonl")
LEAVES = 390_216
"""Lines of Othello eight plies long (tests/data/perft.json)."""
HOLD, REST = 0.03, 0.3


# Steps


def steps(sensors: Sensors, every: int) -> list[float]:
    """Seconds of every `Session.handle` call over every so many-th real game, moved by clean hands."""
    game, taken = OTHELLO.game({}), []
    rows = [line.split("\t") for line in GAMES.read_text().splitlines() if not line.startswith(("#", "file"))]
    for row in rows[::every]:
        session = Session(game, Setup(sensors=sensors))
        session.opening()
        for at, event in clean(game, sensors, re.findall("..", row[-1])):
            while (wake := session.wake_at) is not None and wake <= at:
                taken.append(_timed(session, Elapsed(), wake))
            taken.append(_timed(session, event, at))
    return taken


def _timed(session: Session, event: Event, at: float) -> float:
    start = time.perf_counter()
    session.handle(event, at)
    return time.perf_counter() - start


def clean(game: Game, sensors: Sensors, labels: Sequence[str]) -> Iterator[tuple[float, Event]]:
    """What sensors tell of a game: a disc a second, its turns a tenth of a second apart."""
    position: Position = game.starts[0]
    for second, label in enumerate(labels, 1):
        if position.moves()[0].label == "pass":
            yield second - 0.4, Said("pass")
            position = position.play(position.moves()[0])
        move = next(move for move in position.moves() if move.label == label)
        side = game.faces[position.player]
        for number, (cell, before, _) in enumerate(move.changes):
            at = second + number * 0.02
            yield from _felt(sensors, cell, side, before is not None, at)
        position = position.play(move)


def _felt(sensors: Sensors, cell: str, side: str, turned: bool, at: float) -> Iterator[tuple[float, Event]]:
    if sensors == "presses":
        yield at, Pressed(cell)
    elif sensors == "polarity":
        yield at, Sampled(cell, "heads" if side == "heads" else "tails")
    else:
        if turned:
            yield at - 0.04, Sampled(cell, "empty")
        yield at, Sampled(cell, "piece")


def step_rows() -> Iterator[Row]:
    """A row for each kind of sensors: median, p99 and worst step."""
    for sensors in ("presence", "polarity", "presses"):
        taken = sorted(_in_order_of_time(sensors))
        p99 = taken[int(len(taken) * 0.99)]
        shown = f"median {taken[len(taken) // 2] * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us, worst {taken[-1] * 1e3:.1f} ms"
        yield Row(f"step, {sensors}, {len(taken):,} steps", "p99 <= 1 ms", shown, p99 <= 1e-3)


def _in_order_of_time(sensors: Sensors) -> list[float]:
    return steps(sensors, every=1 if "--all" in sys.argv else 5)


# Steps where pieces move


class At:
    """A game that starts in another position."""

    def __init__(self, game: Game, position: Position) -> None:
        self._game, self.starts = game, (position,)

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)


class Stopped(Movers):
    """Hands with a stop watch: seconds of every `Session.handle` call."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.taken: list[float] = []
        super().__init__(game, setup, Random(1))

    def hear(self, event: Event, wait: float = 0.12) -> None:
        self.now += wait
        while (wake := self.session.wake_at) is not None and wake <= self.now:
            self.taken.append(_timed(self.session, Elapsed(), wake))
        self.taken.append(_timed(self.session, event, self.now))


def moving_rows() -> Iterator[Row]:
    """A row for each game with moving pieces: steps in the positions with the most moves of 1,000 random games."""
    for name in ("flip-switch", "brax"):
        game = found()[name].game({})
        positions = widest(game)
        for sensors in ("presence", "polarity", "presses"):
            taken = sorted(time for position in positions for time in _moved_from(game, position, sensors))
            p99 = taken[int(len(taken) * 0.99)]
            shown = (
                f"median {median(taken) * 1e6:.0f} us, p99 {p99 * 1e6:.0f} us, worst {taken[-1] * 1e3:.1f} ms"
            )
            yield Row(f"step, {name}, {sensors}, {len(taken):,} steps", "p99 <= 1 ms", shown, p99 <= 1e-3)


def widest(game: Game) -> Sequence[Position]:
    """The thirty positions with the most legal moves that were met in 1,000 random games."""
    luck, met = Random(0), list[tuple[int, int, Position]]()
    for number in range(1000):
        position: Position = game.starts[0]
        for ply in range(200):
            moves = position.moves()
            if not moves or position.relaid:
                break
            met.append((len(moves), number * 1000 + ply, position))
            position = position.play(luck.choice(list(moves)))
        met = sorted(met, key=lambda each: each[:2], reverse=True)[:30]
    return [position for _, _, position in met]


def _moved_from(game: Game, position: Position, sensors: Sensors) -> list[float]:
    taken: list[float] = []
    for move in position.moves()[::3]:
        hands = Stopped(At(game, position), Setup(sensors=sensors))  # type: ignore[arg-type]
        hands.taken.clear()
        hands.act(move)
        hands.hear(Elapsed(), 1.0)
        taken += hands.taken
    return taken


# Replay


def replay_rows() -> Iterator[Row]:
    """Events a second over the whole-game traces, JSON included."""
    rules, events, spent = found(), 0, 0.0
    for pattern in WHOLE_GAMES:
        for path in sorted((HERE / "cases").glob(f"**/{pattern}")):
            lines = path.read_bytes().splitlines()
            for _ in range(20):
                start = time.perf_counter()
                trace = Trace(lines)
                game = rules[trace.header.game].game(trace.header.options)
                for at, command in replayed(trace, game):
                    json.dumps(told(command, at))
                spent += time.perf_counter() - start
                events += len(lines) - 1
    rate = events / spent
    yield Row("replay, whole games, with JSON", ">= 20,000 events/s", f"{rate:,.0f} events/s", rate >= 20_000)


# The running daemon


def reaction_rows() -> Iterator[Row]:
    """Real time: from the contact to the light that goes dark, and to the move that is recognised."""
    light, moved = _reactions(OTHELLO.game({}), rounds=8)
    for what, beyond, aim in (
        ("due light beyond hold", light, "<= 10 ms"),
        ("recognition beyond hold and rest", moved, "<= 10 ms"),
    ):
        worst, usual = max(beyond) * 1e3, median(beyond) * 1e3
        yield Row(what, aim, f"median {usual:.1f} ms, worst {worst:.1f} ms of {len(beyond)}", usual <= 10)


def _reactions(game: Game, rounds: int) -> tuple[list[float], list[float]]:
    heard: list[tuple[float, object]] = []
    play = Play(
        Header("othello", sensors="polarity"), found(), Journal.in_memory(), clock=time.monotonic, wall=str
    )
    play.begin()
    play.listeners.append(lambda told: heard.extend((time.monotonic(), each) for each in told.commands))
    light, moved = [], []
    hands = play.board.hands
    assert hands is not None
    for number in range(rounds):
        phase = 0.01 * number / rounds  # hands know nothing of the scan: every part of it is met
        record = play.session.table.record
        move = next(move for move in record.moves if len(move.dues) >= 1)
        put_at = time.monotonic() + phase
        hands.put(move.act[0].cell, game.faces[record.position.player], put_at)
        seen = _poll_until(play, heard, lambda each: isinstance(each, Moved))
        moved.append(seen - put_at - HOLD - REST)
        for cell, _, _ in move.dues:
            turn_at = time.monotonic() + phase
            hands.turn(cell, turn_at)
            seen = _poll_until(
                play, heard, lambda each, cell=cell: isinstance(each, Lit) and cell not in _owed(each)
            )
            light.append(seen - turn_at - 0.15 - HOLD)  # a disc is 0.15 s in the air
    return light, moved


def _owed(lit: Lit) -> set[str]:
    return {cell for cell, light in lit.cells.items() if light.meaning == "owed"}


def _poll_until(play: Play, heard: list[tuple[float, object]], holds: Callable[[object], bool]) -> float:
    heard.clear()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        play.poll()
        for at, command in heard:
            if holds(command):
                return at
        time.sleep(play.pause)  # as `Play.run` does
    raise TimeoutError("the board did not answer within five seconds")


# The process


def process_rows() -> Iterator[Row]:
    """A real `boardctl play`: how soon its page answers, and what it costs while nothing happens."""
    starts = [_started(seconds=0)[0] for _ in range(3)]
    usual = median(starts)
    yield Row("start to a page that answers", "<= 1.5 s", f"{usual:.2f} s", usual <= 1.5)
    _, cpu = _started(seconds=20)
    yield Row("idle CPU over 20 s, page served", "<= 1 % of a core", f"{cpu:.1f} %", cpu <= 1.0)


def _started(seconds: float) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as state:
        begun = time.monotonic()
        command = [sys.executable, "-m", "boardctl", "play", "--port", "0", "--state", state]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parent)
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        urllib.request.urlopen(f"{address}scene.json").read()
        answered = time.monotonic() - begun
        before = _cpu_seconds(process.pid)
        time.sleep(seconds)
        cpu = (_cpu_seconds(process.pid) - before) / seconds * 100 if seconds else 0.0
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        return answered, cpu


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Perft beside others

PEERS = {
    "rust-reversi": """
from rust_reversi import Board
def perft(board, depth):
    if depth == 0 or board.is_game_over(): return 1
    moves = board.get_legal_moves_vec()
    if not moves:
        after = board.clone(); after.do_pass(); return perft(after, depth - 1)
    if depth == 1: return len(moves)
    count = 0
    for move in moves:
        after = board.clone(); after.do_move(move); count += perft(after, depth - 1)
    return count
root = Board()
""",
    "creversi-python": """
import creversi
def perft(board, depth):
    if depth == 0: return 1
    moves = [move for move in board.legal_moves if move != creversi.PASS]
    if not moves and board.is_game_over(): return 1
    if depth == 1: return len(moves) or 1
    count = 0
    for move in moves or [None]:
        after = board.copy()
        after.move_pass() if move is None else after.move(move)
        count += perft(after, depth - 1)
    return count
root = creversi.Board()
""",
    "open_spiel": """
import pyspiel
def perft(state, depth):
    if depth == 0 or state.is_terminal(): return 1
    actions = state.legal_actions()
    if depth == 1: return len(actions)
    return sum(perft(state.child(action), depth - 1) for action in actions)
root = pyspiel.load_game("othello").new_initial_state()
""",
    "reversi42": """
from Reversi.BitboardGame import BitboardGame
def perft(board, depth):
    moves = board.get_move_list()
    if depth == 1 and moves: return len(moves)
    if not moves: raise SystemExit("a pass within the depth asked for")
    count = 0
    for move in moves:
        board.move(move); count += perft(board, depth - 1); board.undo_move()
    return count
root = BitboardGame()
""",
}
"""How each peer counts: its own moves, walked in Python, with the last ply counted and not played."""
PEER_DEPTH, PEER_LEAVES = 6, 8_200
"""Deep enough to be timed, the leaves as in tests/data/perft.json."""


def perft_rows() -> Iterator[Row]:
    """Our command, and what can be had from PyPI, installed for this alone."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "boardctl", "perft", "othello", "8"]
    counted = int(subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parent).stdout)
    whole = time.perf_counter() - start
    from boardctl.games.perft import perft

    start = time.perf_counter()
    assert counted == LEAVES == perft(OTHELLO.game({}).starts[0], 8)
    rate = LEAVES / (time.perf_counter() - start)
    shown = f"{rate / 1e6:.1f} million leaves/s ({LEAVES / whole / 1e6:.2f} with the start of the command)"
    yield Row("perft othello 8", ">= 1.5 million leaves/s", shown, rate >= 1.5e6)
    with tempfile.TemporaryDirectory() as folder:
        for name, program in PEERS.items():
            yield Row(f"perft {PEER_DEPTH}, {name}", "", _peer(name, program, Path(folder) / name))


def _peer(name: str, program: str, folder: Path) -> str:
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name]
    if subprocess.run(install, capture_output=True, timeout=300, check=False).returncode:
        return "will not install here"
    timing = f"""{program}
import time
start = time.perf_counter(); leaves = perft(root, {PEER_DEPTH}); spent = time.perf_counter() - start
print(leaves, spent)
"""
    done = subprocess.run(
        [str(python), "-c", timing], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        return f"cannot be asked: {(done.stderr.strip().splitlines() or ['it says nothing'])[-1][:70]}"
    leaves, spent = done.stdout.split()
    note = "" if int(leaves) == PEER_LEAVES else f", but counts {int(leaves):,} and not {PEER_LEAVES:,}"
    return f"{int(leaves) / float(spent) / 1e6:.2f} million leaves/s, walked in Python{note}"


BRAX_DEPTHS = {"square": 5, "triangle": 4, "diamond": 4, "hexagon": 4, "octagon": 5}


def brax_rows() -> Iterator[Row]:
    """Lines of Brax beside the counts of three programs that share no code (tests/data/brax_perft.json)."""
    from boardctl.games.perft import perft

    counts = json.loads((HERE / "data" / "brax_perft.json").read_text())["rows"]
    for board, depth in BRAX_DEPTHS.items():
        row = next(row for row in counts if (row["board"], row["depth"], row["after"]) == (board, depth, []))
        start = time.perf_counter()
        counted = perft(found()["brax"].game({"board": board}).starts[0], depth)
        rate = counted / (time.perf_counter() - start)
        shown = f"{counted:,}, {rate / 1e6:.2f} million leaves/s"
        yield Row(f"perft brax {board} {depth}", f"{row['moves']:,}", shown, counted == row["moves"])


# The table

PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "step": step_rows,
    "moving": moving_rows,
    "replay": replay_rows,
    "reaction": reaction_rows,
    "process": process_rows,
    "gpio": gpio_rows,
    "perft": perft_rows,
    "brax": brax_rows,
}


def machine() -> str:
    """This machine in a line: processor, cores, Python."""
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"model name\s*: (.+)", info) or re.search(r"Model\s*: (.+)", info)
    name = model.group(1) if model else os.uname().machine
    return f"{name}, {os.cpu_count()} cores, Python {sys.version.split()[0]}"


def _lines(rows: Sequence[Row], markdown: bool) -> Iterator[str]:
    told_rows = [
        (row.what, row.aim, row.measured, {True: "yes", False: "no", None: ""}[row.reached]) for row in rows
    ]
    heads = ("what", "aim", "measured", "reached")
    if markdown:
        yield f"Measured by `make bench` on: {machine()}.\n"
        yield f"| {' | '.join(heads)} |\n|---|---|---|---|"
        yield from (f"| {' | '.join(row)} |" for row in told_rows)
        return
    yield machine()
    widths = [max(len(row[column]) for row in (heads, *told_rows)) for column in range(4)]
    for row in (heads, *told_rows):
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def main() -> None:
    """Measure all parts, or those named, and print the table."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--only", choices=PARTS, action="append", help="measure this part; may be given again"
    )
    parser.add_argument("--markdown", action="store_true", help="the table as the README has it")
    parser.add_argument("--all", action="store_true", help="steps over all real games, not every fifth")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in given.only or PARTS:
        print(f"measuring {name} ...", file=sys.stderr)
        rows += PARTS[name]()
    print("\n".join(_lines(rows, given.markdown)))


if __name__ == "__main__":
    main()
