"""A network between the job and its viewer: cut and healed, and slow. Two real namespaces."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from gradwatch.model import Trouble
from gradwatch.sources import keys
from gradwatch.sources.port import Port
from gradwatch_agent import runfile, wire

from .commands import beginnings, started, until_logged

NAME = f"gw{os.getpid() % 100_000}"
"""Of the namespace and its two ends; a device's name has at most 15 letters."""

HERE, THERE = "198.51.100.1", "198.51.100.2"
"""Addresses for documentation, which no network has."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def cable():
    """A machine of its own at the other end of it."""
    try:
        ip("netns", "add", NAME)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no network namespace can be made here")
    try:
        ip("link", "add", f"{NAME}h", "type", "veth", "peer", "name", f"{NAME}t", "netns", NAME)
        ip("addr", "add", f"{HERE}/24", "dev", f"{NAME}h")
        ip("link", "set", f"{NAME}h", "up")
        ip("-n", NAME, "addr", "add", f"{THERE}/24", "dev", f"{NAME}t")
        ip("-n", NAME, "link", "set", f"{NAME}t", "up")
        yield f"{NAME}h"
    finally:
        subprocess.run(["ip", "link", "del", f"{NAME}h"], capture_output=True)  # and its other end
        ip("netns", "del", NAME)


@pytest.fixture
def far(cable, start_job, watch, tmp_path, monkeypatch):
    """A job over there and a watcher here."""
    monkeypatch.setenv("GRADWATCH_KEYS", str(tmp_path))
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"tcp://{THERE}:0")
    key = keys.read(keys.make(tmp_path, "viewer"))
    log = str(tmp_path / "inside.jsonl")
    job = start_job(log=log, prefix=("ip", "netns", "exec", NAME))
    port = Port(runfile.running()[0].tcp, key)
    port.start()
    watcher = watch(places=[port])
    watcher.until(lambda: any(job.link.up for job in watcher.jobs.values()))
    return job, watcher, next(iter(watcher.jobs))


def test_a_cut_is_told_and_nothing_is_missing_once_it_has_healed(far, cable):
    job, watcher, run = far
    job.tell("post 100")
    watcher.until(lambda: watcher.covered(run) == 100)
    ip("-n", NAME, "link", "set", f"{NAME}t", "down")
    job.tell("post 500")
    job.tell("finding")
    watcher.until(lambda: "lost" in watcher.jobs[run].findings)
    ip("-n", NAME, "link", "set", f"{NAME}t", "up")
    watcher.until(lambda: watcher.covered(run) >= 600, 60)
    watcher.until(lambda: "graph-chain" in watcher.jobs[run].findings)

    assert [e.number for e in watcher.of(run, wire.Iteration)] == list(range(600))
    assert watcher.jobs[run].findings["lost"].state == "resolved"
    assert watcher.of(run, Trouble) == []


def test_a_log_over_a_cut_holds_what_the_agents_own_does(far, cable, tmp_path):
    job, _, endpoint = far
    log, key = tmp_path / "watched.jsonl", tmp_path / "viewer.secret"
    words = ("watch", endpoint, "--key", str(key), "--log", str(log), "--until-exit")
    with started(*words) as watch:
        watch.noted()
        for _ in range(2):
            job.tell("findings 20")
            ip("-n", NAME, "link", "set", f"{NAME}t", "down")
            job.tell("findings 20")
            watch.told_of("lost raised")
            ip("-n", NAME, "link", "set", f"{NAME}t", "up")
            watch.told_of("lost resolved")
        until_logged(log, 80)  # of a job that is gone nothing can be fetched any more
        job.tell("stop")
        assert watch.end() == 0
    assert beginnings(log) == beginnings(tmp_path / "inside.jsonl") == list(range(80))


def test_over_a_slow_link_that_loses_packets_all_of_it_arrives_in_the_end(far, cable):
    job, watcher, run = far
    tc = ["ip", "netns", "exec", NAME, "tc"]
    slow = ["tbf", "rate", "2mbit", "burst", "4kb", "latency", "20ms"]
    made = subprocess.run([*tc, "qdisc", "add", "dev", f"{NAME}t", "root", *slow])
    if made.returncode:
        pytest.skip("no link can be made slow here")
    assert job.tell("turns 400") == "done"  # 0.8 MB; the link drops what waits for over 20 ms
    watcher.until(lambda: watcher.covered(run) == 400, 60)
    assert [e.number for e in watcher.of(run, wire.Iteration)] == list(range(400))
    assert watcher.of(run, Trouble) == []
    told = subprocess.run([*tc, "-s", "qdisc", "show", "dev", f"{NAME}t"], capture_output=True)
    dropped = re.search(rb"dropped (\d+)", told.stdout)
    assert dropped is not None
    assert int(dropped[1]) > 0
