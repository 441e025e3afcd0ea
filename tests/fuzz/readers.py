"""All that reads bytes which an enemy may have chosen, behind one door: `read`.

The first byte chooses the reader, the rest is what it gets. Shared by the hunt, which looks for new
inputs, and by the test that reads every one that was kept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

import msgspec

from gradwatch.model import Job
from gradwatch.sources.feed import Feed
from gradwatch.sources.listing import listings
from gradwatch.sources.targets import BadTarget, parse
from gradwatch_agent import runfile, wire
from gradwatch_agent.runfile import RunFile


def frame(data: bytes) -> None:
    with contextlib.suppress(wire.Undecodable, wire.NewerVersion):
        job = Job("r1")
        job.fold(wire.decode_body(wire.decode_frame(data)))
        _ = job.state, job.top, job.rate_per_s, job.number


def request(data: bytes) -> None:
    with contextlib.suppress(wire.Undecodable):
        wire.decode_request(data)


def run_file(data: bytes) -> None:
    entry = runfile.parse(data, "r1")
    if entry is not None:
        runfile.alive(entry)


def listing(data: bytes) -> None:
    for one in listings(data.splitlines(keepends=True)):
        assert all(isinstance(entry, RunFile) for entry in (*one.running, *one.ended))


def conversation(data: bytes) -> None:
    """What one agent sends, part by part: live, as the past, and in answer to a question."""
    now = [0.0]
    feed, job = Feed(1, lambda: now[0], lambda: now[0]), Job("r1")
    for part in data.split(PART):
        now[0] += 0.5
        if part[:1] == b"?":
            events = feed.answer([feed.question() or b"", part[1:]])
        else:
            events = feed.live([wire.TOPIC if part[:1] == b"!" else feed.topic, part[1:]])
        for event in [*events, *feed.check(alive=True)]:
            job.fold(event)


def target(data: bytes) -> None:
    with contextlib.suppress(BadTarget):
        for far in parse([data.decode("utf-8", "surrogateescape")]).far:
            assert not far.arguments[-1].startswith("-")


PART: Final = b"\xff\xfe"

READERS: Final[tuple[Callable[[bytes], None], ...]] = (
    frame,
    request,
    run_file,
    listing,
    conversation,
    target,
)


def read(data: bytes) -> None:
    if data:
        READERS[data[0] % len(READERS)](data[1:])


def examples() -> list[bytes]:
    """Good inputs, one or more for each reader; what the hunt begins with."""
    finding = wire.Finding("k", "info", "raised", "t", "r", "j", "h", 1, 0, 0, 0, "m")
    messages = (
        wire.Hello("r1", "toy", "here", 1, 0.0),
        wire.Iteration(1, 0.0, types={"A": 1}, reached=5, oldest=1),
        wire.Backward(0.0, 1),
        wire.Memory(0.0, 1, devices=(wire.DeviceMemory("u", 1, 2, 3, 4, "H100", 1),)),
        finding,
        wire.Beat(0.0, off=("a",)),
        wire.Bye(0.0),
    )
    frames = [wire.encode(message, number) for number, message in enumerate(messages)]
    entry = msgspec.json.encode(RunFile("r1", "toy", 1, 0.0, "here", "ipc:///x", ticks=5))
    line = b"gradwatch-job\t/d\t%s\t5 (a b) S 1 %s\ngradwatch-end\n" % (entry, b"5 " * 20)
    return [
        *(_for(frame, one) for one in frames),
        _for(request, wire.encode_request(wire.Replay(1, 2))),
        _for(run_file, entry),
        _for(listing, line),
        *(_for(conversation, PART.join(how + one for one in frames)) for how in (b"!", b".", b"?")),
        *(_for(target, one) for one in (b"ssh://a@b:22/job", b"tcp://a:5", b"listen://[::1]:5")),
    ]


def _for(reader: Callable[[bytes], None], data: bytes) -> bytes:
    return bytes([READERS.index(reader)]) + data
