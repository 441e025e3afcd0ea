"""Messages without end, which libzmq would gather: from a far job, none of it is gathered long."""

from __future__ import annotations

import socket
import struct
import threading

import psutil
import pytest
import zmq
import zmq.auth

from gradwatch.model import Trouble
from gradwatch.sources import keys
from gradwatch.sources.feed import Silence
from gradwatch.sources.gate import Gate, NotOurs
from gradwatch.sources.here import Here
from gradwatch_agent import runfile, wire
from gradwatch_agent.runfile import RunFile

from .commands import started

MB = 1 << 20
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x19\x05READY\x0bSocket-Type" + struct.pack(">I", 3) + b"PUB"


class Far:
    """A place with one job, whose socket was brought here, as ssh does. A `Place`."""

    key = None
    called_at = ""

    def __init__(self, endpoint: str) -> None:
        self.entries = [RunFile("far", "far", 1, 0.0, "there", endpoint)]

    def jobs(self) -> list[RunFile]:
        return self.entries

    def alive(self, entry: RunFile, *, silent: bool) -> bool:
        return True

    def silence(self, entry: RunFile) -> Silence:
        return Silence()

    def ended(self, entry: RunFile) -> None:
        self.entries = []

    def stop(self) -> None:
        pass


def pumped(listening: socket.socket, part: bytes, hung_up: threading.Event) -> None:
    """Parts without end to whoever connects, until it hangs up."""
    frames = part * max(1, MB // len(part))
    raw, _ = listening.accept()
    with raw:
        raw.sendall(GREETING + READY)
        heard = b""
        while b"READY" not in heard:
            heard += raw.recv(4_096)
        try:
            raw.sendall(framed(wire.TOPIC))
            while True:
                raw.sendall(frames)
        except OSError:
            hung_up.set()


def framed(part: bytes) -> bytes:
    """With the flag that more will follow."""
    return b"\x03" + struct.pack(">Q", len(part)) + part


@pytest.mark.parametrize(
    "part",
    [framed(bytes(200_000)), framed(bytes(60)), b"\x01\x00"],
    ids=["large", "small", "empty"],
)
def test_a_far_job_that_sends_parts_without_end_is_heard_no_more_and_others_are(
    start_job, watch, run_directory, part
):
    start_job("r2").tell("post 5")
    endpoint = runfile.new_endpoint()
    hung_up = threading.Event()
    before = psutil.Process().memory_info().rss
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(endpoint.removeprefix("ipc://"))
        listening.listen()
        pump = threading.Thread(target=pumped, args=(listening, part, hung_up), daemon=True)
        pump.start()
        place = Far(endpoint)
        watcher = watch(places=[place, Here()])
        assert hung_up.wait(20)
        grown = psutil.Process().memory_info().rss - before
        pump.join()
    watcher.until(lambda: watcher.of("far", Trouble) == [Trouble(endless=1)])
    watcher.until(lambda: watcher.covered("r2") == 5)
    watcher.until(lambda: place.entries == [])  # asked anew at each word of the other
    assert grown < 100 * MB


def test_encrypted_ones_are_told_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADWATCH_KEYS", str(tmp_path))
    key = keys.make(tmp_path, "viewer")
    public, secret = zmq.auth.load_certificate(tmp_path / "agent.secret")
    with zmq.Context() as context, context.socket(zmq.XPUB) as mad:
        mad.set(zmq.LINGER, 0)
        mad.set(zmq.CURVE_SERVER, 1)
        mad.set(zmq.CURVE_PUBLICKEY, public)
        mad.set(zmq.CURVE_SECRETKEY, secret)
        port = mad.bind_to_random_port("tcp://127.0.0.1")
        endpoint = f"tcp://127.0.0.1:{port}"
        with started("watch", endpoint, "--key", str(key)) as watch:
            while not (asked := mad.recv()).startswith(b"\x01" + wire.KEYFRAME):
                pass
            hello = wire.Hello("r1", "toy", "there", 1, 0.0)
            mad.send_multipart([asked[1:], wire.encode(hello, 1)])
            assert watch.noted() == "gradwatch: watching toy (pid 1)"
            process = psutil.Process(watch.process.pid)
            before = process.memory_info().rss
            mad.send(wire.TOPIC, zmq.SNDMORE)
            for _ in range(20_000):
                mad.send(bytes(10_000), zmq.SNDMORE)
            mad.send(b"")  # libzmq keeps it back until it is whole, here as well
            told = "toy sends a message without end; nobody listens to it any more"
            assert watch.noted() == f"gradwatch: {told}"
            assert "lost raised" in watch.said()
            assert process.memory_info().rss - before < 100 * MB


def test_a_gate_opens_again_with_each_whole_message():
    gate = Gate(limit=1_000)
    gate.began()
    gate.passed(GREETING)
    for _ in range(10):
        came = gate.came
        gate.passed(b"\x00\x80" + bytes(128))
        assert not gate.is_full
        gate.drained(gate.came, delivered=True)
    assert gate.came > came
    while not gate.is_full:
        gate.passed(b"\x01\x00")
    gate.drained(gate.came, delivered=False)
    assert gate.is_stuck


def test_small_parts_weigh_what_they_take_however_they_are_cut():
    whole, cut = Gate(), Gate()
    stream = GREETING + b"\x01\x00" * 50 + framed(bytes(300)) + b"\x00\x05" + bytes(5)
    whole.began()
    whole.passed(stream)
    cut.began()
    for at in range(len(stream)):
        cut.passed(stream[at : at + 1])
    assert whole.came == cut.came == len(stream) + 52 * 128


def test_after_a_break_nothing_comes_until_what_was_before_is_read():
    gate = Gate(limit=1_000)
    gate.began()
    gate.passed(GREETING + framed(bytes(2_000)))
    gate.began()
    assert gate.is_full
    assert not gate.is_stuck
    gate.drained(gate.came, delivered=False)
    assert not gate.is_full


@pytest.mark.parametrize("first", [b"\x01\x00", b"\xff" + bytes(8) + b"\x7f\x01"])
def test_older_ways_of_speaking_are_not_let_in(first):
    gate = Gate()
    gate.began()
    with pytest.raises(NotOurs):
        gate.passed(first)
