"""What happens to processes, files and clocks, done for real; and that nothing is lost by it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from gradwatch.model import Trouble
from gradwatch_agent import runfile, wire
from gradwatch_agent.runfile import RunFile

from .commands import GRADWATCH, beginnings, started

ROOT = hasattr(os, "getuid") and os.getuid() == 0
PREFIX = """
import os, sys, time
sys.path.insert(0, {here!r})
from job import Job
"""


def ran(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program beside tests/link/job.py, in a process of its own."""
    prefix = PREFIX.format(here=str(Path(__file__).parent))
    return subprocess.run(
        [sys.executable, "-c", prefix + textwrap.dedent(text)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def kinds(path: Path) -> list[str]:
    return [json.loads(line)["kind"] for line in path.read_text().splitlines()]


# The viewer's side.


def test_a_hundred_viewers_one_of_them_stopped_and_one_killed(start_job, watch):
    job = start_job()
    crowd = Path(__file__).with_name("crowd.py")
    with (
        subprocess.Popen(
            [sys.executable, str(crowd), "98"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as many,
        started("watch") as stopped,
        started("watch") as killed,
    ):
        watcher = watch()
        assert many.stdout.readline() == "joined\n"
        stopped.noted()
        killed.noted()
        stopped.process.send_signal(signal.SIGSTOP)
        killed.process.kill()
        assert job.tell("post 900") == "done"
        watcher.until(lambda: watcher.covered("r1") == 900)
        watcher.until(lambda: watcher.jobs["r1"].beat.viewers == 100)
        many.stdin.write("900\n")  # they leave once they have said so
        many.stdin.flush()
        assert many.stdout.readline() == "all 98 saw 900\n"
        stopped.process.send_signal(signal.SIGCONT)
    assert watcher.of("r1", Trouble) == []


def test_a_viewer_that_starts_anew_sees_all_of_it_again(start_job, watch):
    job = start_job()
    seen = []
    for count in (100, 200, 300):
        job.tell("post 100")
        job.tell("finding") if count == 100 else None
        watcher = watch()
        watcher.until(lambda: watcher.covered("r1") == count)  # noqa: B023
        seen.append(list(watcher.jobs["r1"].findings))
        watcher.source.stop()
    assert seen == [["graph-chain"]] * 3


def test_what_the_agent_counted_and_what_the_viewer_logged_are_the_same(start_job, tmp_path):
    """Through a stop of either side, a second viewer, and a flood of records."""
    log, inside = tmp_path / "watched.jsonl", tmp_path / "inside.jsonl"
    job = start_job(log=str(inside))
    with started("watch", "--log", str(log), "--until-exit") as watch:
        watch.noted()
        for blow in ("watch", "job", "flood"):
            if blow == "watch":
                watch.process.send_signal(signal.SIGSTOP)
            job.tell("findings 20")
            job.tell("turns 300") if blow == "flood" else None
            if blow == "job":
                job.signal(signal.SIGSTOP)
                job.signal(signal.SIGCONT)
            watch.process.send_signal(signal.SIGCONT)
        job.tell("stop")
        assert watch.end() == 0

    assert beginnings(log) == beginnings(inside) == list(range(60))


def test_a_watch_that_was_killed_goes_on_with_its_log(start_job, tmp_path):
    log, inside = tmp_path / "watched.jsonl", tmp_path / "inside.jsonl"
    job = start_job(log=str(inside))
    for _ in range(2):
        with started("watch", "--log", str(log)) as watch:
            watch.noted()
            job.tell("findings 20")
            watch.process.kill()
        job.tell("findings 20")
    with started("watch", "--log", str(log), "--until-exit") as watch:
        watch.noted()
        job.tell("stop")
        assert watch.end() == 0
    assert beginnings(log) == beginnings(inside) == list(range(80))


# The job's side.


def test_a_process_that_becomes_another_program_is_gone(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    assert job.tell("become cat") == "cat"
    watcher.until(lambda: "lost" in watcher.jobs["r1"].findings)
    while runfile.running():  # until somebody has noticed that nobody listens
        watcher.source._thread.join(0.05)


def test_in_every_shortage_of_descriptors_training_goes_on(tmp_path):
    log = tmp_path / "alerts.jsonl"
    done = ran(
        """
        import resource
        for left in range(1, 60):
            if (pid := os.fork()) == 0:
                resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
                held = []
                try:
                    while True:
                        held.append(os.dup(0))
                except OSError:
                    pass
                for one in held[:left]:
                    os.close(one)
                job = Job(f"r{left}", "toy", os.environ["LOG"])
                job.finding()
                for one in held[left:]:
                    os.close(one)
                job.finding()
                job.stop()
                os._exit(7)
            ended = os.waitpid(pid, 0)[1]
            assert os.waitstatus_to_exitcode(ended) == 7, (left, ended)
        print("ok")
        """,
        LOG=str(log),
    )
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
    assert len(kinds(log)) == 2 * 59


def test_without_a_thread_findings_reach_the_log(tmp_path):
    log = tmp_path / "alerts.jsonl"
    done = ran(
        """
        import threading
        threading.stack_size(1 << 46)  # more than any machine has: no thread can start
        job = Job("r1", "toy", os.environ["LOG"])
        job.publisher.post(job.made_finding())
        job.stop()
        print("trained")
        """,
        LOG=str(log),
    )
    assert (done.returncode, done.stdout, kinds(log)) == (0, "trained\n", ["graph-chain"])
    assert done.stderr.count("nobody can watch this job") == 1


def test_when_the_publisher_fails_findings_still_reach_the_log(tmp_path):
    log = tmp_path / "alerts.jsonl"
    done = ran(
        """
        from gradwatch_agent.journal import Journal
        job = Job("r1", "toy", os.environ["LOG"])
        def fails(*args):
            raise RuntimeError("a defect")
        Journal.append = fails
        job.publisher.post(job.made_finding())
        job.publisher._thread.join()
        job.publisher.post(job.made_finding())
        job.stop()
        """,
        LOG=str(log),
    )
    assert (done.returncode, kinds(log)) == (0, ["graph-chain"] * 2)
    assert done.stderr.count("the publisher failed and is off") == 1


@pytest.mark.parametrize(
    "endpoint", ["tcp://127.0.0.1:5555", "nonsense", "ipc:///nowhere/at/all/s"]
)
def test_an_endpoint_that_cannot_be_had_keeps_no_finding_from_the_log(
    start_job, tmp_path, monkeypatch, endpoint
):
    monkeypatch.setenv("GRADWATCH_KEYS", str(tmp_path / "none"))
    monkeypatch.setenv("GRADWATCH_ENDPOINT", endpoint)
    job = start_job(log=str(tmp_path / "alerts.jsonl"))
    assert job.tell("finding") == "done"
    assert kinds(tmp_path / "alerts.jsonl") == ["graph-chain"]
    job.tell("stop")
    assert job.end().count("nobody can watch this job") == 1


@pytest.mark.skipif(not ROOT, reason="only root can mount a small disk")
def test_a_full_disk_and_a_read_only_one(tmp_path, start_job, watch, monkeypatch, run_directory):
    disk = tmp_path / "disk"
    disk.mkdir(mode=0o700)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "none", disk])
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        full = disk / "fill"
        with pytest.raises(OSError, match="No space"):
            full.write_bytes(b"x" * 100_000)
        monkeypatch.setenv("GRADWATCH_RUN_DIR", str(disk / "gradwatch"))
        job = start_job(log=str(disk / "alerts.jsonl"))
        job.tell("finding")
        assert runfile.running() == []
        full.unlink()
        watcher = watch()
        watcher.until(lambda: "r1" in watcher.jobs and watcher.jobs["r1"].findings)
        job.tell("stop")
        assert kinds(disk / "alerts.jsonl") == ["graph-chain"]
        assert "cannot be found yet" in job.end()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        job = start_job("r2", log=str(tmp_path / "alerts.jsonl"))
        job.tell("finding")
        assert kinds(tmp_path / "alerts.jsonl") == ["graph-chain"]
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


COVER_HOME = 'mount -t tmpfs -o ro none "$HOME" && exec "$@"'
READ_ONLY_HOME = ("unshare", "-m", "sh", "-c", COVER_HOME, "sh")
"""Before a command; for that one and its children alone."""


@pytest.mark.skipif(not ROOT, reason="only root can mount a home")
def test_in_a_read_only_home_a_job_is_watched_and_keys_are_refused(
    start_job, watch, tmp_path, monkeypatch
):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    keygen = [*READ_ONLY_HOME, *GRADWATCH, "keygen"]
    refused = subprocess.run(keygen, capture_output=True, text=True, timeout=60)
    if "unshare" in refused.stderr or "mount" in refused.stderr:
        pytest.skip("nothing can be mounted here")
    assert refused.returncode == 4
    assert "Read-only file system" in refused.stderr
    assert refused.stderr.count("\n") == 1
    job = start_job(log=str(tmp_path / "alerts.jsonl"), prefix=READ_ONLY_HOME)
    job.tell("finding")
    watcher = watch()
    watcher.until(lambda: "r1" in watcher.jobs and watcher.jobs["r1"].findings)
    assert kinds(tmp_path / "alerts.jsonl") == ["graph-chain"]
    job.tell("stop")
    assert job.end() == ""


def test_a_run_directory_of_someone_else_is_refused_and_the_log_written(
    start_job, run_directory, tmp_path
):
    run_directory.mkdir(mode=0o700)
    if ROOT:
        os.chown(run_directory, 12345, -1)
    else:
        run_directory.chmod(0o755)
    job = start_job(log=str(tmp_path / "alerts.jsonl"))
    assert job.tell("finding") == "done"
    assert kinds(tmp_path / "alerts.jsonl") == ["graph-chain"]
    assert list(run_directory.iterdir()) == []


def test_two_agents_race_for_one_path(tmp_path, watch, monkeypatch):
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"ipc://{tmp_path}/s")
    done = ran(
        """
        for round in range(10):
            ready, go = os.pipe()
            up, is_up = os.pipe()
            end, may_end = os.pipe()
            pids = []
            for name in "ab":
                if (pid := os.fork()) == 0:
                    os.read(ready, 1)
                    job = Job(f"{name}{round}", name, "")
                    bound = job.publisher._announcement.entry.live
                    os.write(1, f"{bound}\\n".encode())  # whole: `print` may part it from its end
                    os.write(is_up, b".")
                    os.read(end, 1)
                    job.stop()
                    os._exit(0)
                pids.append(pid)
            os.write(go, b"go")
            for _ in pids:
                os.read(up, 1)
            os.write(may_end, b"go")
            for pid in pids:
                assert os.waitpid(pid, 0)[1] == 0
            print("round", flush=True)
        """
    )
    rounds = [text.split() for text in done.stdout.split("round") if text.strip()]
    assert len(rounds) == 10, done.stderr
    assert all(len(set(paths)) == 2 for paths in rounds), rounds


def test_a_clock_set_back_or_on_moves_no_process(monkeypatch):
    """The kernel tells a process's start by the clock of today; its ticks stay as they are."""
    ticks = runfile.own_ticks(os.getpid())
    started = runfile.process_started(os.getpid())
    entry = RunFile("r1", "toy", os.getpid(), started - 7200, "here", "ipc:///x", ticks=ticks)
    assert runfile.alive(entry)


def test_a_clock_set_back_while_training_confuses_no_viewer(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    now = time.time()
    for at in (now, now - 86_400, now + 86_400, 0, now):
        job.tell(f"clock {int(at)}")
        job.tell("post 10")
    watcher.until(lambda: watcher.covered("r1") == 50)
    assert [e.number for e in watcher.of("r1", wire.Iteration)] == list(range(50))
    assert watcher.jobs["r1"].state == "live"


FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


@pytest.mark.skipif(not FAKETIME, reason="libfaketime is not installed")
def test_a_machine_whose_clock_is_set_back_under_a_job(start_job, watch, tmp_path):
    """The job's process is told another time by its C library, also by calls that are not ours."""
    clock = tmp_path / "clock"
    clock.write_text("+0")
    told = {
        "LD_PRELOAD": FAKETIME[0],
        "FAKETIME_TIMESTAMP_FILE": clock,
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    log = tmp_path / "alerts.jsonl"
    prefix = ["env", *(f"{name}={value}" for name, value in told.items())]
    job = start_job(log=str(log), prefix=prefix)
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    for at in ("-1d", "-20y", "+1d", "+0"):
        clock.write_text(at)
        job.tell("post 10")
        job.tell("finding")
    watcher.until(lambda: watcher.covered("r1") == 40)
    records = watcher.of("r1", wire.Iteration)
    assert [record.number for record in records] == list(range(40))
    assert min(record.at for record in records) < time.time() - 19 * 365 * 86_400
    assert watcher.jobs["r1"].state == "live"
    assert len(kinds(log)) == 4


def test_without_the_usual_directories_both_sides_meet_in_tmp(monkeypatch, tmp_path):
    """As a cron job and a login shell: neither has what the other has."""
    monkeypatch.delenv("GRADWATCH_RUN_DIR")
    runtime, scratch = tmp_path / "runtime", tmp_path / "scratch"
    runtime.mkdir()
    scratch.mkdir()

    def seen_from(**variables: str) -> list[Path]:
        with monkeypatch.context() as there:
            for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
                there.delenv(name, raising=False)
            for name, value in variables.items():
                there.setenv(name, value)
            there.setattr("tempfile.tempdir", None)
            return runfile.directories()

    login, cron = seen_from(XDG_RUNTIME_DIR=str(runtime)), seen_from()
    batch, sudo = seen_from(TMPDIR=str(scratch)), seen_from(XDG_RUNTIME_DIR="/proc/1")
    assert login[0] == runtime / "gradwatch"
    assert cron[0] in login
    assert batch[0] == cron[0] == sudo[0]
