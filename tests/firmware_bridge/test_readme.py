"""The exchange in firmware_bridge/README.md, byte for byte what host and twin say."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge import protocol
from firmware_bridge.protocol import DELIMITER, Decoder, HostHello, Leds, Ping, Received, encoded
from tests.firmware_bridge.twin import Twin

README = Path(protocol.__file__).with_name("README.md").read_text(encoding="utf-8")
LINE = re.compile(r"(host|board) +((?:[0-9a-f]{2} )*00)(?: {2,}(\w+))?")


def written() -> list[tuple[str, bytes, str]]:
    """Who says what, and the first word beside it."""
    (block,) = re.findall(r"```exchange\n(.*?)```", README, re.DOTALL)
    found = [LINE.match(line) for line in block.splitlines()]
    assert all(found)
    return [(line[1], bytes.fromhex(line[2]), line[3]) for line in found if line]


def said() -> list[tuple[str, bytes]]:
    twin, lines = Twin(2, 4, 2), []

    def tell(who: str, data: bytes) -> None:
        lines.extend((who, frame + DELIMITER) for frame in data.split(DELIMITER)[:-1])

    def host(data: bytes, now: float) -> None:
        tell("host", data)
        tell("board", twin.run(data, now))

    host(DELIMITER + encoded(HostHello(), 0), 0.0)
    host(encoded(protocol.Settings(4, 1000, 255), 1), 0.1)
    host(encoded(Leds(bytes([255, 0, 0, 0, 0, 60])), 2), 0.2)
    twin.lay(6, "heads")
    host(b"", 0.21)
    host(b"AT\r" + DELIMITER, 0.3)
    host(encoded(Ping(), 3), 0.4)
    return lines


def test_the_exchange_is_what_a_host_and_a_board_say() -> None:
    assert [(who, data) for who, data, _ in written()] == said()


def test_the_words_beside_the_bytes_name_the_frames() -> None:
    names = {"HostHello": "HELLO"}
    for who, data, word in written():
        for told in Decoder("host" if who == "host" else "board").feed(data):
            if isinstance(told, Received):
                name = type(told.frame).__name__
                assert word == names.get(name, name.upper())


def test_every_frame_has_a_row() -> None:
    rows = re.findall(r"\| (0x\w\w) \| (host|board) \| (\w+)", README)
    assert {(int(number, 16), who) for number, who, _ in rows} == {
        *((number, "host") for number in protocol.HOST),
        *((number, "board") for number in protocol.BOARD),
    }
