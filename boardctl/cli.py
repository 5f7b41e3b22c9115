"""The command `boardctl`: what a person types, and the one line that tells when something cannot be.

Commands import what they need when they run, so that `--help` answers at once on a small machine.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NoReturn

import typer

if TYPE_CHECKING:
    from boardctl.core.model import Game, Rules
    from boardctl.install import Step
    from boardctl.shells.journal import Journal
    from boardctl.trace import Header

WRONG_CALL = 2
"""Exit status for a wrong call or configuration."""
FAULT_FOUND = 1
"""Exit status when a command looked and found a fault."""

app = typer.Typer(
    name="boardctl",
    help="The program inside a real game board: it knows what hands did, lights what must be done, and judges.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_ClickException: type[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""The root of all that a wrong call raises, whichever click Typer brings."""


class Fault(NamedTuple):
    """One thing that cannot be: where, what is wrong, what to do."""

    where: str
    what: str
    remedy: str


class Wrong(Exception):
    """A call or configuration that cannot be carried out, with all its faults."""

    def __init__(self, *faults: Fault, status: int = WRONG_CALL) -> None:
        super().__init__(*(f"{fault.where}: {fault.what}; {fault.remedy}" for fault in faults))
        self.status = status


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit: 0 well, 1 a fault was found, 2 a wrong call or configuration."""
    try:
        status = typer.main.get_command(app).main(
            args=list(sys.argv[1:] if arguments is None else arguments),
            prog_name="boardctl",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except Wrong as wrong:
        status = _refuse(wrong.args, wrong.status)
    except _ClickException as wrong:
        where = wrong.ctx.command_path if getattr(wrong, "ctx", None) else "boardctl"
        status = _refuse([f"{where}: {_sentence(wrong.format_message())}; see {where} --help"], WRONG_CALL)
    except SystemExit:  # click leaves so when whoever read us has gone, and nothing else here does
        status = _unheard()
    except OSError as fault:
        if fault.errno not in (errno.EPIPE, errno.EIO):  # a pipe, or a terminal
            raise
        status = _unheard()
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)


def _unheard() -> int:
    """Nobody reads what we print any more: what is left of it goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _refuse(lines: Iterable[str], status: int) -> int:
    from boardctl import journald

    for line in lines:
        said = line.removeprefix("boardctl: ").removeprefix("boardctl ").replace("\n", " ")
        print(journald.graded(f"boardctl: {said}", journald.ERROR, sys.stderr), file=sys.stderr)
    return status


def _sentence(message: str) -> str:
    return message.strip().rstrip(".")


GameName = Annotated[str, typer.Argument(help="Which game: see boardctl games.")]
GivenOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be given again."),
]
State = Annotated[
    Path | None, typer.Option("--state", help="Folder of the journal. Default: the user's state folder.")
]
SensorKind = Annotated[
    Literal["presence", "polarity", "presses"],
    typer.Option(help="What the simulated sensors tell: reeds, halls, or a button under each cell."),
]
Policy = Annotated[Literal["teach", "club", "tournament"], typer.Option(help="How strict the judge is.")]
Start = Annotated[
    Literal["laid", "empty"], typer.Option(help="Whether the start lies on the simulated board.")
]
Hold = Annotated[
    float,
    typer.Option(
        min=0, max=5, help="Seconds a reading must stand before it counts; a board file has its own."
    ),
]
Rest = Annotated[
    float,
    typer.Option(
        min=0, max=60, help="Seconds of quiet before the board is judged; a board file has its own."
    ),
]
TakeBack = Annotated[
    float, typer.Option(min=0, max=600, help="Seconds the last disc may be away before it is taken back.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON Lines and nothing else.")]


@app.command()
def play(
    game: GameName = "othello",
    option: GivenOptions = None,
    board: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A wired board: its file, or a preset. Default: a simulated one."),
    ] = None,
    sensors: SensorKind = "polarity",
    policy: Policy = "teach",
    start: Start = "laid",
    hold: Hold = 0.03,
    rest: Rest = 0.3,
    take_back: TakeBack = 2.0,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="Seed of the simulated board's troubles.")
    ] = 0,
    state: State = None,
    web: Annotated[bool, typer.Option(help="Serve the page; --no-web plays in the terminal.")] = True,
    plain: Annotated[
        bool, typer.Option("--plain", help="With --no-web: plain lines, as a screen reader likes them.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address the page is served on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes any free one.")
    ] = 8373,
) -> None:
    """Play one game on one board.

    Without a configuration: a simulated board, a journal, and a page on 127.0.0.1.

    Example: boardctl play othello --policy club
    """
    from boardctl import config, evening

    settings = config.Settings(
        game=config.GamePart(name=game, options=_options(option or [])),
        board=config.BoardPart(file=board, sensors=sensors, hold=hold, rest=rest, start=start, seed=seed),
        judge=config.JudgePart(policy=policy, take_back=take_back),
        web=config.WebPart(enabled=web, host=host, port=port),
        state=config.StatePart(folder=None if state is None else str(state)),
    )
    with _named_faults("play", board):
        if web:
            evening.spend(settings)
        else:
            evening.sit(settings, "lines" if plain else None)


@app.command()
def run(
    file: Annotated[Path, typer.Option("--config", metavar="FILE", help="The configuration, in TOML.")],
) -> None:
    """Play as a service does, with all settings out of a file.

    Example: boardctl run --config board.toml
    """
    from boardctl import config, evening, notify
    from boardctl.plugins import found

    with _named_faults("run"):
        try:
            settings = config.read(file, found())
        except config.WrongConfig as wrong:
            raise Wrong(
                *(Fault(_dotted(str(file), fault.key), fault.what, fault.remedy) for fault in wrong.faults)
            ) from None
    with _named_faults("run", settings.board.file):
        evening.spend(settings, notify.service(os.environ, os.getpid()))


Root = Annotated[
    Path,
    typer.Option("--root", metavar="FOLDER", help="Another system's root folder; no command is run there."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the steps and take none.")]
RUNNING_SYSTEM = Path("/")


@app.command("install-service")
def install_service(
    network: Annotated[
        bool, typer.Option("--network", help="Let the service open connections, for a broker.")
    ] = False,
    pwm: Annotated[
        bool, typer.Option("--pwm", help="Let it drive NeoPixels at a PWM pin, which takes root.")
    ] = False,
    program: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The boardctl that the service runs. Default: this one."),
    ] = None,
    root: Root = RUNNING_SYSTEM,
    dry_run: DryRun = False,
) -> None:
    """Have systemd run boardctl from now on, with the page on 127.0.0.1:8373.

    Done again, it brings the service up to date. A configuration that is there stays as it is.

    Example: boardctl install-service --dry-run
    """
    from boardctl import install

    try:
        runs = install.own_program() if program is None else install.runnable(program)
    except install.CannotRun as fault:
        raise Wrong(Fault("install-service", *str(fault).split("; ", 1))) from None
    _take(
        "install-service", install.installing(install.files(), runs, network=network, pwm=pwm), root, dry_run
    )


@app.command("uninstall-service")
def uninstall_service(root: Root = RUNNING_SYSTEM, dry_run: DryRun = False) -> None:
    """Take away all that install-service put there; a changed configuration and the games stay.

    Example: boardctl uninstall-service --dry-run
    """
    from boardctl import install

    _take("uninstall-service", install.removing(install.files()), root, dry_run)


def _take(where: str, steps: Sequence[Step], root: Path, dry_run: bool) -> None:
    """Print the steps, and unless it is a dry run take each as it is printed. Commands are for this system only."""
    import subprocess

    from boardctl import install

    live = root == RUNNING_SYSTEM
    if live and not dry_run:
        _need_system(where)
    for step in steps:
        if isinstance(step, install.Run) and not live:
            continue
        print(step, flush=True)
        if dry_run:
            continue
        try:
            install.carry_out(step, root, subprocess.call)
        except install.StepFailed as fault:
            raise Wrong(Fault(where, str(fault), "mend that and do it again"), status=FAULT_FOUND) from None


def _need_system(where: str) -> None:
    if not Path("/run/systemd/system").is_dir():
        raise Wrong(Fault(where, "systemd does not run this system", "--root FOLDER prepares another one"))
    if os.geteuid() != 0:
        raise Wrong(
            Fault(where, "only root may do this", f"sudo boardctl {where}; --dry-run shows the steps")
        )


def _dotted(file: str, key: str) -> str:
    return f"{file}: {key}" if key else file


@app.command()
def games(
    as_json: AsJson = False,
    check: Annotated[
        str | None, typer.Option(metavar="NAME", help="Play a game at random and look for what it breaks.")
    ] = None,
) -> None:
    """List the games, their options and the defaults; or try whether a game keeps what the judge relies on.

    Example: boardctl games
    """
    from boardctl.scene import rules_scene

    if check is not None:
        _check(check, as_json)
        return
    listing = rules_scene(_rules("games"))
    for each in listing:
        print(json.dumps(each) if as_json else _game_listed(each))


def _check(name: str, as_json: bool) -> None:
    """What a game breaks, line by line; exit status 1 where there is anything."""
    from boardctl.conformance import breaches

    rules = _rules("games --check")
    if name not in rules:
        raise Wrong(Fault("games --check", f"there is no game {name!r}", f"choose from {', '.join(rules)}"))
    found = breaches(rules[name])
    for breach in found:
        print(json.dumps(breach._asdict()) if as_json else breach)
    if not found and not as_json:
        print(f"{name} keeps all that the judge relies on.")
    if found:
        raise typer.Exit(FAULT_FOUND)


def _game_listed(game: dict[str, Any]) -> str:
    lines = [f"{game['name']}: {game['title']}. {game['about']}"]
    for option in game["options"]:
        normal = _value_shown(option["default"])
        lines.append(f"    {option['name']} = {normal}  ({option['allowed']})  {option['about']}")
    return "\n".join(lines)


def _value_shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@app.command()
def replay(
    trace: Annotated[Path, typer.Argument(help="A trace; - reads standard input.")], as_json: AsJson = False
) -> None:
    """Put a recorded trace before the same judge, in virtual time.

    Example: boardctl replay game.trace.jsonl --json
    """
    from boardctl.trace import MalformedTrace

    try:
        with _bytes_of(trace) as lines:
            _replay(trace, lines, as_json)
    except MalformedTrace as fault:
        sys.stdout.flush()
        where = f"{trace}, line {fault.line}"
        raise Wrong(Fault(where, fault.what, "mend that line, or cut the trace before it")) from None
    except BrokenPipeError:
        raise
    except OSError as fault:
        what = fault.strerror or str(fault)
        raise Wrong(Fault(str(trace), what, "name a trace that can be read")) from None


@contextmanager
def _bytes_of(path: Path) -> Iterator[Iterable[bytes]]:
    """The lines of a file or of standard input; while a long file is read, a terminal shows how far that is."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    with path.open("rb") as lines:
        size = path.stat().st_size if path.is_file() else 0
        if size < LONG_TRACE or not sys.stderr.isatty():
            yield lines
        else:
            with _progress(lines, size) as counted:
                yield counted


@contextmanager
def _progress(lines: Iterable[bytes], size: int) -> Iterator[Iterable[bytes]]:
    """The lines, and a bar on standard error that grows with them."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, redirect_stdout=sys.stdout.isatty(), redirect_stderr=False
    ) as bar:
        task = bar.add_task("replaying", total=size)

        def counted() -> Iterator[bytes]:
            for line in lines:
                yield line
                bar.advance(task, len(line))

        yield counted()


LONG_TRACE = 500_000
"""Bytes from which on a replay shows its progress."""


def _replay(path: Path, lines: Iterable[bytes], as_json: bool) -> None:
    from boardctl.core.commands import told
    from boardctl.core.sentences import Sentences
    from boardctl.replay import replayed
    from boardctl.trace import Trace

    trace = Trace(lines)
    game = _game(f"{path}, line 1", trace.header)
    words = Sentences(game)
    encoder = json.JSONEncoder(separators=(", ", ": "), default=_plain)
    for t, command in replayed(trace, game):
        if as_json:
            print(encoder.encode(told(command, round(t, 6))))
        elif (sentence := words.of(command)) is not None:
            print(f"{t:9.2f}  {sentence}")


def _plain(value: Any) -> Any:
    """Mappings and sequences of the core as JSON knows them."""
    return dict(value) if hasattr(value, "keys") else list(value)


@app.command()
def history(state: State = None, as_json: AsJson = False) -> None:
    """List the games in the journal, finished and unfinished.

    Example: boardctl history
    """
    with _named_faults("history"), _journal_read(state) as journal:
        summaries = journal.games()
    for each in summaries:
        if as_json:
            print(json.dumps(each._asdict()))
        else:
            print(f"{each.id:5}  {each.started_at}  {each.game:12} {each.plies:3} plies  {each.result}")
    if not summaries and not as_json:
        print("No game has been played yet. boardctl play begins one.")


@app.command()
def export(
    number: Annotated[int, typer.Argument(metavar="ID", help="The game's number in boardctl history.")],
    form: Annotated[
        Literal["transcript", "json", "trace"], typer.Option("--as", help="The form to write the game in.")
    ] = "transcript",
    state: State = None,
) -> None:
    """Write a game out of the journal.

    Example: boardctl export 3 --as trace > game.trace.jsonl
    """
    with _named_faults(f"export {number}"), _journal_read(state) as journal:
        match form:
            case "transcript":
                print(journal.transcript(number))
            case "json":
                print(json.dumps(journal.as_json(number), default=_plain))
            case "trace":
                for line in journal.trace(number):
                    print(json.dumps(line))


@app.command()
def wiring(
    board: Annotated[str, typer.Argument(help="A preset, or a board file.")],
    svg: Annotated[Path | None, typer.Option(help="Draw it into this file.", metavar="FILE")] = None,
) -> None:
    """Print how a board is wired: every pin of the header, what to buy, and what it draws.

    Example: boardctl wiring reed-8x8 --svg reed-8x8.svg
    """
    from boardctl import builder

    try:
        print(builder.plan(board, svg))
    except builder.WrongFile as wrong:
        raise _wrong_board(board, wrong.faults) from None
    except OSError as fault:
        raise Wrong(
            Fault(str(svg), fault.strerror or str(fault), "name a file that can be written")
        ) from None


@app.command()
def wizard(
    board: Annotated[
        str | None, typer.Argument(help="A preset, or a draft board file: pins, kind and counts are right.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The board file to write. Default: BOARD-wired.toml."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="Try it on a simulated board that chance has wired.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the simulated wiring.")] = 0,
    faulty: Annotated[
        bool, typer.Option("--faulty", help="Give the simulated board faults to be found.")
    ] = False,
    web: Annotated[bool, typer.Option("--web", help="Ask on a page instead of in the terminal.")] = False,
    host: Annotated[str, typer.Option(help="Address the page is served on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page; 0 takes any free one.")
    ] = 8373,
) -> None:
    """Learn how a board is wired by touching its cells, and write its board file and a wiring certificate.

    One may go back, skip a dead cell, stop and go on another day. The exit status is 1 where faults were found.

    Example: boardctl wizard reed-8x8 --simulated -o my-board.toml
    """
    from boardctl import wizard as wizardry

    if board is None and not simulated:
        raise Wrong(Fault("wizard", "no board is named", "name a board file or a preset, or try --simulated"))
    chance = wizardry.Chance(seed, faulty) if simulated else None
    try:
        with _named_faults("wizard", board), wizardry.sitting(board, output, chance, force=force) as sit:
            status = wizardry.spend(sit, web=web, host=host, port=port)
    except wizardry.CannotWrite as fault:
        what, _, remedy = str(fault).partition("; ")
        raise Wrong(Fault("wizard", what, remedy)) from None
    if status:
        raise typer.Exit(status)


@app.command()
def dark(board: Annotated[str, typer.Argument(help="A preset, or a board file.")]) -> None:
    """Put out all lights of a board, whatever left them on.

    Example: boardctl dark reed-8x8
    """
    from boardctl import builder

    try:
        builder.dark(board)
    except builder.WrongFile as wrong:
        raise _wrong_board(board, wrong.faults) from None
    except builder.NoStrip as fault:
        what, _, remedy = str(fault).partition("; ")
        raise Wrong(Fault(board, what, remedy or "nothing is to be done"), status=FAULT_FOUND) from None


def _wrong_board(board: str, faults: Iterable[tuple[str, str, str]]) -> Wrong:
    from boardctl import builder

    return Wrong(*(_of_board(board, *fault, builder.presets()) for fault in faults))


def _of_board(board: str, key: str, what: str, remedy: str, presets: Sequence[str]) -> Fault:
    """A fault of a board file; where there is no such file, with the presets."""
    if not key:
        return Fault(board, what, f"{remedy}; the presets are {', '.join(presets)}")
    return Fault(f"{board}: {key}", what, remedy)


@app.command()
def doctor(
    board: Annotated[
        str | None, typer.Option(metavar="FILE", help="The wired board: its file, or a preset.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="The configuration, in TOML.")
    ] = None,
    light: Annotated[
        bool, typer.Option("--light", help="Light each pixel of the board in turn, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell what is wrong with this machine, a board's wiring and a configuration, and what mends it.

    Nothing is changed. The exit status is 0 only if nothing is wrong.

    Example: boardctl doctor --board reed-8x8
    """
    from boardctl import checkup

    sick = False
    for finding in checkup.checked(board, file, light=light):
        print(json.dumps(finding._asdict()) if as_json else finding, flush=True)
        sick = sick or finding.state == "wrong"
    if sick:
        raise typer.Exit(FAULT_FOUND)


@app.command()
def flash(
    microcontroller: Annotated[
        Literal["uno", "nano", "nano-old", "pico"],
        typer.Argument(help="The board; nano-old has the boot loader of before 2018."),
    ],
    port: Annotated[
        str | None,
        typer.Option(help="An Arduino's port. Default: /dev/ttyACM0 of an Uno, /dev/ttyUSB0 of a Nano."),
    ] = None,
    firmware: Annotated[
        Path | None,
        typer.Option("--hex", help="What to write to an Arduino. Default: what make firmware has built."),
    ] = None,
    drive: Annotated[
        Path | None, typer.Option(help="A Pico's drive. Default: the CIRCUITPY that is mounted.")
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Write the firmware to the microcontroller under a board: to an Arduino with avrdude, to a Pico as files.

    Example: boardctl flash uno --dry-run
    """
    from firmware_bridge import flash as flashing

    try:
        if microcontroller == "pico":
            _refuse_options("a Pico", "--drive", {"--port": port, "--hex": firmware})
            _flash_pico(drive, dry_run=dry_run)
        else:
            _refuse_options("an Arduino", "--port", {"--drive": drive})
            _flash_arduino(microcontroller, firmware or flashing.HEX, port, dry_run=dry_run)
    except flashing.CannotFlash as fault:
        what, _, remedy = str(fault).partition("; ")
        raise Wrong(Fault("flash", what, remedy)) from None


def _refuse_options(of: str, its: str, options: Mapping[str, object]) -> None:
    """Options of the other sort of microcontroller."""
    for name, value in options.items():
        if value is not None:
            raise Wrong(Fault("flash", f"{name} is not for {of}", f"leave it out; {its} says where it is"))


def _flash_arduino(
    arduino: Literal["uno", "nano", "nano-old"], firmware: Path, port: str | None, *, dry_run: bool
) -> None:
    import shlex

    from firmware_bridge import flash as flashing

    if dry_run:
        print(shlex.join(flashing.command(arduino, firmware, port)))
    elif status := flashing.flash(arduino, firmware, port):
        raise Wrong(
            Fault("flash", f"avrdude ended with {status}", "its own words stand above"), status=FAULT_FOUND
        )


def _flash_pico(drive: Path | None, *, dry_run: bool) -> None:
    import shlex

    from firmware_bridge import flash as flashing

    if dry_run:
        files = [str(flashing.PICO / name) for name in flashing.PICO_FILES]
        print(shlex.join(["cp", *files, str(drive or "CIRCUITPY")]))
        return
    for file in flashing.copy_to_pico(drive or flashing.drive()):
        print(f"Written: {file}")
    print("Eject the drive, unplug the Pico and plug it in again: boot.py counts from then on.")


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=60, help="Plies to count.")],
    option: GivenOptions = None,
    divide: Annotated[bool, typer.Option("--divide", help="One line for each first move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the lines of play to a depth; a forced pass is a ply.

    Example: boardctl perft othello 8
    """
    from boardctl.games import perft as counting
    from boardctl.trace import Header

    position = _game("perft", Header(game=game, options=_options(option or []))).starts[0]
    if divide and depth:
        counts = counting.divide(position, depth)
        for move, nodes in sorted(counts.items()):
            print(json.dumps({"move": move, "nodes": nodes}) if as_json else f"{move:8} {nodes}")
        total = sum(counts.values())
    else:
        total = counting.perft(position, depth)
    print(json.dumps({"game": game, "depth": depth, "nodes": total}) if as_json else total)


def _options(given: Sequence[str]) -> dict[str, object]:
    """`NAME=VALUE` as options: true and false, whole numbers, else text."""
    options: dict[str, object] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name:
            what, remedy = f"{each!r} is not NAME=VALUE", "write for example --option pass=automatic"
            raise Wrong(Fault("--option", what, remedy))
        options[name] = _value(value)
    return options


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else text


def _rules(where: str) -> dict[str, Rules]:
    from boardctl.plugins import PluginBroken, found

    rules = found()
    for name in list(rules):
        try:
            rules[name].title  # noqa: B018 this loads it
        except PluginBroken as fault:
            print(f"boardctl: {where}: {fault}", file=sys.stderr)
            del rules[name]
    return rules


def _game(where: str, header: Header) -> Game:
    from boardctl.app import game_of
    from boardctl.plugins import found

    with _named_faults(where):
        return game_of(header, found())


@contextmanager
def _journal_read(state: Path | None) -> Iterator[Journal]:
    from boardctl.evening import journal_path
    from boardctl.shells.journal import Journal

    with Journal.read(journal_path(state)) as journal:
        yield journal


@contextmanager
def _named_faults(where: str, board: str | None = None) -> Iterator[None]:
    """Faults of the world become the one line that a person reads."""
    from boardctl.app import NoSuchGame
    from boardctl.builder import DoesNotFit, NoBoard, WrongFile
    from boardctl.core.model import WrongOption
    from boardctl.ears import CannotServe
    from boardctl.plugins import PluginBroken
    from boardctl.shells.journal import JournalError

    try:
        yield
    except NoSuchGame as fault:
        raise Wrong(Fault(where, str(fault), "boardctl games lists them")) from None
    except WrongOption as fault:
        raise Wrong(Fault(where, str(fault), "boardctl games lists the options")) from None
    except WrongFile as wrong:
        raise _wrong_board(board or where, wrong.faults) from None
    except (DoesNotFit, NoBoard) as fault:
        what, _, remedy = str(fault).partition("; ")
        status = WRONG_CALL if isinstance(fault, DoesNotFit) else FAULT_FOUND
        raise Wrong(
            Fault(board or where, what, remedy or "boardctl doctor says more"), status=status
        ) from None
    except (CannotServe, PluginBroken, JournalError) as fault:
        what, _, remedy = str(fault).partition("; ")
        raise Wrong(Fault(where, what, remedy or "see boardctl --help"), status=FAULT_FOUND) from None


if __name__ == "__main__":
    main()
