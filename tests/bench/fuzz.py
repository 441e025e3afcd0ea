"""A long look for bytes that bring a reader down. By hand: `python tests/bench/fuzz.py [COUNT]`.

Spoils good frames, requests, run files and listings; what an input made the readers do (which
message with which fields, which refusal) stands for the code it reached, and inputs that did
something new are spoilt further. Prints every kind of answer; ends with 1 at a crash, at an input
that took long, and where memory grows.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable

import msgspec
import psutil

from gradwatch.model import Job
from gradwatch.sources.feed import Feed
from gradwatch.sources.listing import listings
from gradwatch_agent import runfile, wire
from gradwatch_agent.runfile import RunFile

SLOW_S = 0.25
GROWTH_MB = 64
CORPUS = 4_000
"""Inputs kept for further spoiling."""

SEED = 20_240_101


def frame(data: bytes) -> str:
    try:
        message = wire.decode_body(wire.decode_frame(data))
    except (wire.Undecodable, wire.NewerVersion) as error:
        return re.sub(r"\d+|`.*?`|'.*?'", "#", str(error))
    job = Job("r1")
    job.fold(message)
    fields = [name for name in message.__struct_fields__ if getattr(message, name)]
    return f"{type(message).__name__} {job.state} {len(fields)}"


def request(data: bytes) -> str:
    try:
        return type(wire.decode_request(data)).__name__
    except wire.Undecodable as error:
        return re.sub(r"\d+|`.*?`", "#", str(error))


def run_file(data: bytes) -> str:
    return str(runfile.parse(data, "r1") is not None)


def listing(data: bytes) -> str:
    return str([(len(one.running), len(one.ended)) for one in listings(data.splitlines(True))])


def feed(data: bytes) -> str:
    heard, job = Feed(1, lambda: 0.0, lambda: 0.0), Job("r1")
    told = [*heard.live([heard.topic, data, data]), *heard.live([wire.TOPIC, data])]
    for event in told:
        job.fold(event)
    return " ".join(type(event).__name__ for event in told)


READERS: dict[str, Callable[[bytes], str]] = {
    one.__name__: one for one in (frame, request, run_file, listing, feed)
}


def seeds() -> list[tuple[str, bytes]]:
    finding = wire.Finding("k", "info", "raised", "t", "r", "j", "h", 1, 0, 0, 0, "m")
    entry = RunFile("r1", "toy", 1, 0.0, "here", "ipc:///x", ticks=5)
    messages = (
        wire.Hello("r1", "toy", "here", 1, 0.0, devices=(wire.Device("u"),)),
        wire.Iteration(1, 0.0, types={"A": 1}, reached=5, oldest=1),
        wire.Backward(0.0, 1),
        wire.Memory(0.0, 1, devices=(wire.DeviceMemory("u", 1, 2, 3, 4),)),
        finding,
        wire.Beat(0.0, off=("a",)),
        wire.Bye(0.0),
    )
    frames = [wire.encode(message, number) for number, message in enumerate(messages)]
    text = msgspec.json.encode(entry)
    line = b"gradwatch-job\t/d\t%s\t5 (a b) S 1 %s\ngradwatch-end\n" % (text, b"5 " * 20)
    return [
        *[(reader, data) for data in frames for reader in ("frame", "feed")],
        ("request", wire.encode_request(wire.Replay(1, 2))),
        ("run_file", text),
        ("listing", line),
    ]


def spoilt(data: bytes, chance: random.Random, other: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(out) + 1)
        match chance.randrange(6):
            case 0:
                out[at : at + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
            case 1 if out:
                out[at % len(out)] ^= 1 << chance.randrange(8)
            case 2:
                out[at:at] = chance.choice(
                    (b"\xc1", b"\xdd\xff\xff\xff\xff", b"\x81", b"\xcb", b"[")
                )
            case 3:
                del out[at:]
            case 4:
                out[at:] = other[chance.randrange(len(other) + 1) :]
            case 5:
                out[at:at] = out[at : at + chance.randrange(64)] * chance.randrange(4)
    return bytes(out[:20_000])


def main(count: int) -> int:
    chance, corpus, seen = random.Random(SEED), seeds(), set()
    process, before, slowest = psutil.Process(), 0, 0.0
    for number in range(count):
        if number == count // 4:
            before = process.memory_info().rss
        reader, data = chance.choice(corpus)
        data = spoilt(data, chance, chance.choice(corpus)[1])
        start = time.perf_counter()
        try:
            answer = READERS[reader](data)
        except Exception as error:  # noqa: BLE001  that is what is looked for
            print(f"{reader} raised {error!r} for {data!r}")
            return 1
        slowest = max(slowest, time.perf_counter() - start)
        if (reader, answer) not in seen and len(seen) < CORPUS:
            seen.add((reader, answer))
            corpus.append((reader, data))
    grown = (process.memory_info().rss - before) / (1 << 20)
    print(f"{count:,} inputs, {len(seen)} kinds of answer, slowest {slowest * 1e3:.1f} ms")
    print(f"memory grew {grown:.1f} MB over the last three quarters")
    return int(slowest > SLOW_S or grown > GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
