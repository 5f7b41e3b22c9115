"""A game in plain lines, for pipes, screen readers and terminals that cannot do more.

Every line is carried out, and the board judged, before the next is read: what is typed ahead, or comes out of a
file, is played one after the other and never all at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardctl.shells.terminal import keys
from boardctl.shells.terminal.desk import Desk
from boardctl.shells.terminal.typed import Answer, Do, Leave, Message, meant


async def read(desk: Desk, fd: int) -> None:
    """Do what the lines from `fd` say, up to their end or until one says quit."""
    await desk.settled()
    fault: str | None = None
    async for line in keys.lines(fd):
        if not line.strip():
            continue
        match meant(line, desk.scene()):
            case Leave():
                return
            case Answer(say):
                print(say, flush=True)
            case Do(messages):
                await _do(desk, messages)
        known, fault = fault, desk.scene()["journal"]
        if fault and fault != known:
            print(fault, flush=True)


async def _do(desk: Desk, messages: Sequence[Message]) -> None:
    for message in messages:
        if (refusal := desk.do(message)) is not None:
            print(refusal, flush=True)
    await desk.settled()
