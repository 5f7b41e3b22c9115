"""A board on a table, as far as the page can tell: its hands are lines on standard input, `put d3 heads`."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import Mapping

from boardctl.app import Play
from boardctl.desk import PlayDesk
from boardctl.plugins import found
from boardctl.shells import web
from boardctl.shells.journal import Journal
from boardctl.trace import Header


class Mirror:
    """The desk of a play whose hands are not the page's."""

    def __init__(self, play: Play) -> None:
        self._desk = PlayDesk(play)

    def scene(self) -> Mapping[str, object]:
        return self._desk.scene() | {"simulated": False, "hands": None}

    async def changed(self, since: int) -> int:
        return await self._desk.changed(since)

    def do(self, message: Mapping[str, object]) -> str | None:
        if "hand" in message or "trouble" in message:
            return "This page mirrors a board. Move the pieces there."
        return self._desk.do(message)


async def mirrored(host: str, port: int) -> None:
    """Serves until killed."""
    header = Header(game="othello", sensors="polarity", hold=0.01, rest=0.1)
    play = Play(header, found(), Journal.in_memory(), clock=time.monotonic, wall=lambda: "")
    play.begin()
    server = web.server(web.site(Mirror(play), token=None, hosts=[]))
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: hand(play, sys.stdin.readline()))
    ear = socket.create_server((host, port))
    print(f"A mirror, open {web.link(host, port, None)}", flush=True)
    await asyncio.gather(server.serve(sockets=[ear]), play.run())


def hand(play: Play, line: str) -> None:
    """Has a hand over the board do what a line says."""
    table = play.board.hands
    match line.split():
        case ["put", cell, ("heads" | "tails") as side] if table is not None:
            table.put(cell, side, play.clock())
        case ["turn", cell] if table is not None:
            table.turn(cell, play.clock())


if __name__ == "__main__":
    asyncio.run(mirrored(sys.argv[sys.argv.index("--host") + 1], int(sys.argv[sys.argv.index("--port") + 1])))
