"""Frames and bytes: both ways, by the golden file, and whatever noise comes between."""

from __future__ import annotations

from binascii import crc_hqx

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import protocol
from firmware_bridge.protocol import (
    BOARD,
    HOST,
    Can,
    Code,
    Decoder,
    Done,
    Fault,
    Frame,
    Hello,
    HostHello,
    Indexed,
    Kind,
    Leds,
    Log,
    Palette,
    Ping,
    Received,
    Scan,
    Settings,
    TooLong,
    encoded,
    mismatch,
)
from tests.firmware_bridge.golden import Golden, golden

BOTH = {"host": HOST, "board": BOARD}
SENT = golden("host-") + golden("board-")
BYTE = st.integers(0, 255)
BITS = st.binary(min_size=1, max_size=250)
FRAMES: dict[str, st.SearchStrategy[Frame]] = {
    "host": st.one_of(
        st.just(HostHello()),
        st.integers(1, 83).flatmap(lambda n: st.builds(Leds, st.binary(min_size=3 * n, max_size=3 * n))),
        st.builds(Indexed, BITS),
        st.integers(1, 32).flatmap(lambda n: st.builds(Palette, st.binary(min_size=3 * n, max_size=3 * n))),
        st.just(Ping()),
        st.builds(Settings, BYTE, st.integers(0, 65535), BYTE),
    ),
    "board": st.one_of(
        st.builds(
            Hello,
            st.just(protocol.VERSION),
            BYTE,
            BYTE,
            BYTE,
            BYTE,
            BYTE,
            st.sampled_from(Kind),
            st.integers(0, 7).map(Can),
        ),
        st.builds(Scan, BITS),
        st.builds(Done, BYTE),
        st.builds(Log, st.text(max_size=60)),
        st.builds(protocol.Error, BYTE, BYTE),
    ),
}


def sender(name: str) -> str:
    return name.partition("-")[0]


def decoder(name: str) -> Decoder:
    return Decoder("board" if sender(name) == "board" else "host")


@pytest.mark.parametrize("line", SENT, ids=lambda line: line.name)
def test_golden_frames_are_read_from_the_wire_and_written_to_it(line: Golden) -> None:
    frame = BOTH[sender(line.name)][line.type].of(line.payload)
    assert encoded(frame, line.seq) == line.wire
    assert decoder(line.name).feed(line.wire) == [Received(line.seq, frame)]


def test_every_type_has_a_golden_frame() -> None:
    assert {line.type for line in SENT} == HOST.keys() | BOARD.keys()


@pytest.mark.parametrize("line", golden("bad-"), ids=lambda line: line.name)
def test_a_bad_frame_is_told_as_what_it_is_and_the_next_one_is_read(line: Golden) -> None:
    bad, good = Decoder("host").feed(line.wire + encoded(Ping(), 9))
    assert isinstance(bad, Fault)
    assert (bad.code, bad.seq, good) == (line.type, line.seq, Received(9, Ping()))


@pytest.mark.parametrize("line", golden("mute-"), ids=lambda line: line.name)
def test_an_echo_is_known_for_one(line: Golden) -> None:
    told = Decoder("host").feed(line.wire)
    assert [isinstance(each, Fault) and each.type >= 0x80 for each in told] == [True] * len(told)


@pytest.mark.parametrize("who", ["host", "board"])
def test_any_frames_come_through_in_any_pieces(who: str) -> None:
    @given(st.lists(FRAMES[who], max_size=8), st.lists(st.integers(1, 70)))
    def holds(frames: list[Frame], cuts: list[int]) -> None:
        wire = b"".join(encoded(frame, seq) for seq, frame in enumerate(frames))
        decoder = Decoder("host" if who == "host" else "board")
        told = []
        for cut in cuts:
            told += decoder.feed(wire[:cut])
            wire = wire[cut:]
        told += decoder.feed(wire)
        assert told == [Received(seq, frame) for seq, frame in enumerate(frames)]
        assert (decoder.good, decoder.bad, decoder.gaps) == (len(frames), 0, 0)

    holds()


def test_every_frame_grows_by_one_byte_and_a_delimiter() -> None:
    for size in (1, 100, 249, 250):
        for filling in (b"\0", b"\1", b"\xff"):
            wire = encoded(Indexed(filling * size), 5)
            assert (len(wire), wire.count(0)) == (size + 6, 1)


def test_the_checksum_is_the_crc_16_of_xmodem() -> None:
    assert crc_hqx(b"123456789", 0) == 0x31C3  # the check value of the catalogue of CRC algorithms


def test_a_frame_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TooLong, match="a payload of 251 bytes; 250 are the most"):
        encoded(Indexed(bytes(251)), 0)


def test_frames_that_were_lost_are_counted() -> None:
    decoder = Decoder("board")
    decoder.feed(b"".join(encoded(Done(0), seq) for seq in (254, 255, 0, 3, 4, 4)))
    assert (decoder.good, decoder.gaps) == (6, 2)


def test_noise_without_end_is_not_kept() -> None:
    decoder = Decoder("board")
    for _ in range(1000):
        assert decoder.feed(b"login: " * 100) == []
    assert len(decoder._kept) == protocol.LONGEST + 1
    bad, good = decoder.feed(b"\0" + encoded(Log("here"), 1))
    assert isinstance(bad, Fault)
    assert good == Received(1, Log("here"))


@given(st.binary(max_size=600))
def test_after_any_noise_the_frame_after_the_next_delimiter_is_read(noise: bytes) -> None:
    decoder = Decoder("board")
    decoder.feed(noise + protocol.DELIMITER)
    assert decoder.feed(encoded(Scan(b"\5"), 7)) == [Received(7, Scan(b"\5"))]


def test_bits_that_flip_are_noticed_up_to_one_in_65536_frames() -> None:
    """A CRC of 16 bits finds every error within 16 bits in a row; of others it lets 2**-16 through.

    Here all errors of one bit: none is taken for a frame.
    """
    wire = encoded(Scan(b"\x10\0\0\xff\0\0\0\1"), 77)
    for bit in range(8 * (len(wire) - 1)):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not [told for told in Decoder("board").feed(bytes(flipped)) if isinstance(told, Received)]


def test_another_version_is_told_with_both_and_the_remedy() -> None:
    newer, older = (
        Hello(2, 3, 0, 8, 8, 64, Kind.PRESENCE, Can(7)),
        Hello(0, 0, 1, 8, 8, 0, Kind.PRESENCE, Can(0)),
    )
    assert Decoder("board").feed(encoded(newer, 0)) == [Fault(Code.VERSION, 0, mismatch(2), 0x81)]
    assert mismatch(2) == (
        "the board speaks version 2 of the protocol and this computer version 1; update boardctl on this computer"
    )
    assert Decoder("board").feed(encoded(older, 0)) == [Fault(Code.VERSION, 0, mismatch(0), 0x81)]
    assert mismatch(0).endswith("this computer version 1; flash the board anew")
