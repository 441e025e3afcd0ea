"""Frames that get lost, come garbled or too new; viewers that do not read."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import zmq

from gradwatch.model import Trouble
from gradwatch_agent import runfile, wire
from gradwatch_agent.journal import Journal
from gradwatch_agent.link.outlet import Outlet
from gradwatch_agent.wire import frames

MB = 1 << 20


class Agent:
    """The agent's own sockets in the test's hands, so that a frame can be withheld or garbled."""

    def __init__(self) -> None:
        self.journal = Journal()
        self.journal.append(wire.Hello("r1", "toy", "here", os.getpid(), 0.0))
        self.past: list[bytes] = []
        live = runfile.new_endpoint()
        self.outlet = Outlet(live)
        started = runfile.process_started(os.getpid())
        runfile.write(runfile.RunFile("r1", "toy", os.getpid(), started, "here", live))

    def iteration(self, number: int) -> bytes:
        return self.journal.append(wire.Iteration(number=number, at=0.0))

    def beat(self) -> bytes:
        return self.journal.unnumbered(wire.Beat(at=0.0))

    def serve(self) -> None:
        self.outlet.serve(
            lambda: self.past or [*self.journal.keyframe(), self.beat()],
            lambda request: self.journal.replay(request.since, request.upto),
        )

    def until(self, watcher, condition, *, serves: bool = True) -> None:
        """Serves and beats until the watcher has seen it."""
        for _ in range(1000):
            self.outlet.publish([self.beat()])
            self.serve() if serves else None
            try:
                watcher.until(condition, 0.02)
            except AssertionError:
                continue
            return
        pytest.fail(watcher.summary())


@pytest.fixture
def agent(run_directory):
    agent = Agent()
    yield agent
    agent.outlet.close()


@pytest.fixture
def joined(agent, watch):
    watcher = watch()
    agent.until(watcher, lambda: watcher.is_up("r1"))
    return watcher


def numbers(watcher) -> list[int]:
    return [e.number for e in watcher.of("r1", wire.Iteration)]


def test_a_gap_is_noticed_and_filled_in_order(agent, joined):
    agent.outlet.publish([agent.iteration(0)])
    agent.iteration(1)
    agent.iteration(2)
    agent.outlet.publish([agent.iteration(3)])
    agent.until(joined, lambda: len(numbers(joined)) == 4)

    assert numbers(joined) == [0, 1, 2, 3]
    assert joined.of("r1", Trouble) == []


def test_the_beat_tells_of_a_gap_at_the_end(agent, joined):
    agent.iteration(0)
    agent.until(joined, lambda: numbers(joined) == [0])


def test_what_the_agent_no_longer_has_is_counted_as_lost(agent, joined):
    agent.iteration(0)
    for number in range(3_000):
        agent.journal.append(wire.Backward(at=0.0, iteration=number))
    agent.until(joined, lambda: joined.jobs["r1"].trouble.lost > 0)

    told = len(joined.of("r1", wire.Backward))
    assert numbers(joined) == [0]
    assert told + joined.jobs["r1"].trouble.lost == 3_000


def test_a_gap_that_nobody_fills_is_lost_and_the_rest_goes_on(agent, joined):
    agent.iteration(0)
    agent.outlet.publish([agent.iteration(1)])
    agent.until(joined, lambda: numbers(joined) == [1], serves=False)

    assert joined.jobs["r1"].trouble == Trouble(lost=1)


def test_garbage_from_the_agent_is_counted_and_harms_nothing(agent, joined):
    agent.outlet.publish([b"", b"\xc1garbage", os.urandom(100), b"\x91" * 100_000])
    unknown = wire.encode(wire.Beat(at=0.0), 0, 0).replace(b"beat", b"beta")
    agent.outlet.publish([unknown, agent.iteration(0)])
    agent.until(joined, lambda: numbers(joined) == [0])

    assert joined.jobs["r1"].trouble == Trouble(garbage=5)


def test_a_frame_too_large_is_never_read_and_ends_that_conversation_alone(agent, joined, start_job):
    agent.outlet.publish([bytes(wire.MAX_FRAME_BYTES + 1)])
    agent.until(joined, lambda: not joined.is_up("r1"))  # though it goes on to beat
    start_job("r2").tell("post 5")
    joined.until(lambda: joined.covered("r2") == 5)

    assert joined.of("r1", Trouble) == []


def test_a_newer_agent_is_told_and_not_asked_for_ever(agent, watch, monkeypatch):
    with monkeypatch.context() as newer:
        newer.setattr(frames, "VERSION", frames.VERSION + 1)
        agent.past = [agent.iteration(0), agent.beat()]
    watcher = watch()
    agent.until(watcher, lambda: watcher.is_up("r1"))

    assert watcher.jobs["r1"].trouble == Trouble(newer=2)


def test_requests_that_make_no_sense_are_counted(start_job, watch):
    start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    entry = runfile.running()[0]
    with zmq.Context() as context, context.socket(zmq.XSUB) as listens:
        listens.connect(entry.live)
        listens.send(b"\x01" + wire.REPLAY + b"me/\xc1garbage")
        listens.send(b"\x01" + wire.REPLAY + b"no request")
        listens.send(b"\x01" + wire.REPLAY + b"me/" + wire.encode(wire.Beat(at=0.0), 0))
        listens.send(b"\x01unheard-of")
        listens.send(b"\x01" + wire.KEYFRAME + b"x" * 1000)
        listens.send(b"neither joins nor leaves")
        watcher.until(lambda: watcher.jobs["r1"].beat.rejected == 6)

    assert watcher.is_up("r1")


def test_in_a_flood_of_requests_a_viewer_still_has_its_turn(agent, joined):
    entry = runfile.running()[0]
    answers = 0
    with zmq.Context() as context, context.socket(zmq.XSUB) as asks:
        asks.set(zmq.LINGER, 0)
        asks.set(zmq.SNDHWM, 0)
        asks.connect(entry.live)
        request = wire.encode_request(wire.Replay(1, 1))
        for number in range(5_000):
            asks.send(b"\x01" + wire.REPLAY + b"%d/" % number + request)
        while answers < 100:
            agent.serve()
            while asks.poll(1):
                assert asks.recv_multipart()[1:] == agent.journal.replay(1, 1)
                answers += 1
        agent.outlet.publish([agent.iteration(0)])
        agent.until(joined, lambda: numbers(joined) == [0])


def test_who_floods_a_job_with_topics_finds_the_door_shut(start_job):
    job = start_job()
    entry = runfile.running()[0]
    process = psutil.Process(job.pid)
    before = process.memory_info().rss
    with zmq.Context() as context, context.socket(zmq.XSUB) as mad:
        mad.set(zmq.LINGER, 0)
        thrown_out = mad.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        mad.connect(entry.live)
        while not thrown_out.poll(1):
            for _ in range(100):
                mad.send(b"\x01" + secrets.token_bytes(60))
    assert process.memory_info().rss - before < 100 * MB
    assert job.tell("post 5") == "done"
    assert "a viewer floods this job" in job.end()


def test_a_request_too_large_costs_a_viewer_its_connection_and_no_one_else(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    entry = runfile.running()[0]
    with zmq.Context() as context, context.socket(zmq.XSUB) as mad:
        mad.set(zmq.LINGER, 0)
        thrown_out = mad.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        mad.connect(entry.live)
        mad.send(b"\x01" + wire.REPLAY + bytes(4_097))
        assert thrown_out.poll(10_000)
    job.tell("post 5")
    watcher.until(lambda: watcher.covered("r1") == 5)

    assert watcher.jobs["r1"].beat.rejected == 0


def test_bytes_that_are_not_even_zmq_harm_nothing(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    entry = runfile.running()[0]
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(entry.live.removeprefix("ipc://"))
        raw.sendall(secrets.token_bytes(4096))
    job.tell("post 5")
    watcher.until(lambda: watcher.covered("r1") == 5)

    assert watcher.jobs["r1"].beat.viewers == 1


def test_a_slow_viewer_misses_nothing_in_the_end(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    watcher.may_read.clear()
    assert job.tell("turns 2000") == "done"
    watcher.may_read.set()
    watcher.until(lambda: watcher.covered("r1") >= 2000)

    assert numbers(watcher) == list(range(2000))
    assert watcher.of("r1", Trouble) == []


def test_a_stopped_viewer_costs_the_job_nothing(start_job):
    job = start_job()
    assert job.tell("fat 10000") == "done"
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("viewer.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as viewer:
        assert viewer.stdout.readline() == b"up\n"
        viewer.send_signal(signal.SIGSTOP)
        try:
            before = int(job.tell("rss"))
            assert job.tell("fat 20000") == "done"  # 40 MB, were it all to wait
            grown = int(job.tell("rss")) - before
        finally:
            viewer.send_signal(signal.SIGCONT)
            viewer.stdin.close()

    assert grown < 20 * MB
