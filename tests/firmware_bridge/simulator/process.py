"""The simulated board as a program with a pty, for the real pyserial; and hands on it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self


class BoardProcess:
    """A board that runs at the pace of the clock, its port a symbolic link."""

    def __init__(self, program: Path, hex_file: Path, port: Path, *, dtr: bool = False) -> None:
        """`dtr`: opening the port resets it, as on an Uno."""
        self.port = port
        words = [str(program), str(hex_file), "115200", str(port), *(["dtr"] if dtr else [])]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise OSError(f"the board has ended: {self._process.poll()}")
        return line.strip()

    def _say(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        return self._answer()

    def put(self, cell: int, *, bounce_ms: float = 2) -> None:
        """Something is put on a cell."""
        self._say(f"close {cell} {bounce_ms}")

    def take(self, cell: int, *, bounce_ms: float = 2) -> None:
        """Something is taken from it."""
        self._say(f"open {cell} {bounce_ms}")

    def pixels(self) -> bytes:
        """What the strip shows: red, green, blue a pixel."""
        grb = bytes.fromhex(self._say("pixels"))
        return b"".join(bytes((grb[at + 1], grb[at], grb[at + 2])) for at in range(0, len(grb), 3))

    def stats(self) -> dict[str, int]:
        """What it has counted."""
        return {name: int(value) for name, value in (each.split("=") for each in self._say("stats").split())}

    def wait(self, ms: float) -> None:
        """Time goes by, on its own clock."""
        until = self.stats()["cycle"] + ms * 16_000
        while self.stats()["cycle"] < until:
            pass

    def reset(self) -> None:
        """The button."""
        self._say("reset")

    def pull(self) -> None:
        """The cable, and the power with it."""
        self._say("pull")

    def plug(self) -> None:
        """The cable again."""
        self._say("plug")

    def close(self) -> None:
        """Ends it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
