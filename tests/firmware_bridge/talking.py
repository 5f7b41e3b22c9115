"""A program of our own that talks to a board through the real pyserial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import serial

from firmware_bridge.protocol import Decoder, Done, Frame, Hello, Received, encoded


class Host:
    """A program that talks to a board through pyserial."""

    def __init__(self, port: Path, baud: int) -> None:
        self._serial = serial.Serial(str(port), baud, timeout=0.1, write_timeout=1, exclusive=True)
        self._decoder = Decoder("board")
        self.heard: list[Frame] = []

    def until(self, wanted: Callable[[Frame], bool], *, tries: int = 100) -> Frame:
        """The next frame like this, within ten seconds; raises `TimeoutError`."""
        for _ in range(tries):
            for told in self._decoder.feed(self._serial.read(max(1, self._serial.in_waiting))):
                if isinstance(told, Received):
                    self.heard.append(told.frame)
            for frame in self.heard:
                if wanted(frame):
                    self.heard.clear()
                    return frame
        raise TimeoutError(f"none of {self.heard}")

    def send(self, frame: Frame, seq: int) -> None:
        """Sends one."""
        self._serial.write(encoded(frame, seq))

    def ask(self, frame: Frame, seq: int) -> Frame:
        """Sends one and answers what it is answered with."""
        self.send(frame, seq)
        return self.until(lambda each: isinstance(each, Hello) or each == Done(seq))

    def close(self) -> None:
        self._serial.close()


@contextmanager
def host(port: Path, baud: int = 115200) -> Iterator[Host]:
    """A host that closes its port."""
    talking = Host(port, baud)
    try:
        yield talking
    finally:
        talking.close()
