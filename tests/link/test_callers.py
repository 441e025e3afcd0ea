"""A job that calls its viewer: where nobody can reach it, and with the same keys."""

from __future__ import annotations

import secrets
import socket

import pytest

from gradwatch.model import Trouble
from gradwatch.sources import callers, keys
from gradwatch.sources.callers import Callers
from gradwatch.sources.place import Unreachable
from gradwatch_agent import wire
from gradwatch_agent.endpoints import chosen

from .commands import beginnings, ran, started, until_logged
from .line import Line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADWATCH_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def key(folder):
    return keys.make(folder, "viewer")


@pytest.fixture
def wait(key):
    """Someone who waits for calls; on the port given, or on any."""
    waiting = []

    def wait(port: int = 0, shown=key) -> Callers:
        waiting.append(Callers(("127.0.0.1", port), keys.read(shown)))
        waiting[-1].start()
        return waiting[-1]

    yield wait
    for each in waiting:
        each.stop()


@pytest.fixture
def call(start_job, monkeypatch):
    """A job that calls there."""

    def start(port: int, run: str = "r1"):
        monkeypatch.setenv("GRADWATCH_ENDPOINT", f"connect://127.0.0.1:{port}")
        return start_job(run)

    return start


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_who_is_called_sees_everything_under_the_jobs_own_name(wait, call, watch):
    place = wait()
    job = call(place.port)
    job.tell("post 2000")
    watcher = watch(places=[place])
    watcher.until(lambda: watcher.covered("r1") == 2000)
    job.tell("turns 600")
    watcher.until(lambda: watcher.covered("r1") == 2600)
    job.tell("stop")
    watcher.until(lambda: watcher.jobs["r1"].bye is not None)
    assert set(watcher.jobs) == {"r1"}


def test_what_a_job_is_told_to_call_names_this_machine(wait, key):
    place = wait()
    assert place.called_at == f"127.0.0.1:{place.port}"
    everywhere = Callers(("0.0.0.0", 7007), keys.read(key))
    everywhere.stop()
    assert everywhere.called_at == f"{socket.gethostname()}:7007"


def test_several_ranks_call_one_port(wait, call, watch):
    place = wait()
    for run in ("r0", "r1", "r2"):
        call(place.port, run).tell("post 30")
    watcher = watch(places=[place])
    watcher.until(lambda: all(watcher.covered(run) == 30 for run in ("r0", "r1", "r2")))


def test_a_job_goes_on_calling_until_someone_waits(wait, call, watch):
    port = free_port()
    job = call(port)
    job.tell("post 100")
    watcher = watch(places=[wait(port)])
    watcher.until(lambda: watcher.covered("r1") == 100)


def test_after_a_break_it_calls_again_and_nothing_is_told_twice_or_lost(wait, call, watch):
    place = wait()
    with Line(place.port) as line:
        job = call(line.port)
        job.tell("post 100")
        watcher = watch(places=[place])
        watcher.until(lambda: watcher.covered("r1") == 100)
        for breaks in (1, 2):
            line.cut()
            job.tell("post 100")
            told = 100 + 100 * breaks
            watcher.until(lambda told=told: watcher.covered("r1") == told)
    assert [e.number for e in watcher.of("r1", wire.Iteration)] == list(range(300))
    assert set(watcher.jobs) == {"r1"}
    assert watcher.of("r1", Trouble) == []
    assert len(place.jobs()) == 1


def test_a_log_of_a_job_that_calls_holds_what_the_agents_own_does(start_job, key, tmp_path):
    log, inside, port = tmp_path / "watched.jsonl", tmp_path / "inside.jsonl", free_port()
    words = ("watch", f"listen://127.0.0.1:{port}", "--key", str(key), "--log", str(log))
    with Line(port) as line, pytest.MonkeyPatch.context() as there:
        there.setenv("GRADWATCH_ENDPOINT", f"connect://127.0.0.1:{line.port}")
        with started(*words, "--until-exit") as watch:
            job = start_job(log=str(inside))
            watch.noted()
            for told in (40, 80):
                job.tell("findings 20")
                line.cut()
                job.tell("findings 20")
                until_logged(log, told)
            job.tell("stop")
            assert watch.end() == 0
    assert beginnings(log) == beginnings(inside) == list(range(80))


def test_a_viewer_that_starts_anew_is_called_and_told_the_past(wait, call, watch):
    place = wait()
    job = call(place.port)
    job.tell("post 100")
    first = watch(places=[place])
    first.until(lambda: first.covered("r1") == 100)
    first.source.stop()
    second = watch(places=[wait(place.port)])
    second.until(lambda: second.covered("r1") == 100)


def test_a_killed_job_is_lost_and_in_the_end_gone(wait, call, watch, monkeypatch):
    monkeypatch.setattr(callers, "_AGAIN_S", 0.0)
    place = wait()
    job = call(place.port)
    watcher = watch(places=[place])
    watcher.until(lambda: watcher.is_up("r1"))
    job.kill()
    watcher.until(lambda: "lost" in watcher.jobs["r1"].findings)
    while place.jobs():
        watcher.source._thread.join(0.05)


def test_a_viewer_without_the_key_hears_nothing_and_is_counted(wait, call, watch, tmp_path, key):
    stranger = keys.make(tmp_path / "others", "viewer")
    ours, theirs = keys.read(key), keys.read(stranger)
    stranger.write_text(stranger.read_text().replace(theirs.agent.decode(), ours.agent.decode()))
    place = wait(shown=stranger)
    call(place.port)
    there, here = watch(places=[place]), watch()
    here.until(lambda: here.is_up("r1") and here.beat("r1").rejected >= 1)
    assert there.jobs == {}


def test_strangers_that_call_are_no_jobs(wait, call, watch):
    place = wait()
    watcher = watch(places=[place])
    with socket.create_connection(("127.0.0.1", place.port)) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\n\r\n" + secrets.token_bytes(100_000))
        call(place.port).tell("post 30")
        watcher.until(lambda: watcher.covered("r1") == 30)
    assert set(watcher.jobs) == {"r1"}


def test_watch_waits_for_the_first_to_call(call, key):
    port = free_port()
    words = ("watch", f"listen://127.0.0.1:{port}", "--key", str(key), "--until-exit")
    with started(*words) as watching:
        job = call(port)
        assert watching.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("finding")
        assert " graph-chain raised " in watching.said()
        job.tell("stop")
        assert watching.noted() == "gradwatch: toy finished after 0 iterations"
        assert watching.end() == 0


def test_what_cannot_be_is_said_in_one_sentence(key, wait, folder):
    done = ran("watch", "listen://127.0.0.1:5555")
    assert (done.returncode, "--key FILE" in done.stderr) == (2, True)
    taken = wait().port
    done = ran("attach", f"listen://127.0.0.1:{taken}", "--key", str(key))
    assert done.returncode == 3
    assert f"Cannot listen on 127.0.0.1:{taken}" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    with pytest.raises(Unreachable):
        Callers(("nowhere.invalid", 0), keys.read(key)).start()
    for bad in ("connect://127.0.0.1", "connect://127.0.0.1:0", "connect://:1"):
        with pytest.raises(ValueError, match="connect://HOST:PORT"):
            chosen(bad)


def test_without_keys_a_job_calls_nobody(folder):
    with pytest.raises(ValueError, match="TCP needs keys"):
        chosen("connect://127.0.0.1:5555")


def test_a_page_does_not_wait_for_calls(key):
    done = ran("serve", "listen://127.0.0.1:0", "--key", str(key))
    assert done.returncode == 2
    assert done.stderr.startswith("gradwatch: listen:// is for attach and watch")
