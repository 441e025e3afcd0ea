"""Run files: found while the job lives, cleared away after it, trusted only where it is safe."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from gradwatch.sources.targets import TargetNotFound, resolve
from gradwatch_agent import runfile
from gradwatch_agent.runfile import RunFile


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("GRADWATCH_RUN_DIR", str(tmp_path / "gradwatch"))
    return runfile.directory()


def entry(run: str = "r1", *, pid: int | None = None, job: str = "toy", **more) -> RunFile:
    """One of this very process, unless told otherwise."""
    pid = os.getpid() if pid is None else pid
    values = {
        "started": runfile.process_started(pid) or 0.0,
        "host": "here",
        "live": f"ipc://{runfile.directory()}/{run}.s",
        "ticks": runfile.own_ticks(pid),
    }
    return RunFile(run=run, job=job, pid=pid, **{**values, **more})


@pytest.fixture
def gone() -> int:
    """The PID of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_what_is_written_is_found():
    written = entry(script="train.py", rank=3, world_size=8)
    path = runfile.write(written)

    assert runfile.running() == [written]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_without_a_directory_nothing_runs(directory):
    assert runfile.running() == []
    assert not directory.exists()


def test_what_is_removed_is_not_found(directory):
    runfile.write(entry())
    runfile.remove(entry())
    runfile.remove(entry())

    assert list(directory.iterdir()) == []


def test_the_traces_of_a_dead_process_are_removed(gone, directory):
    dead = entry(pid=gone)
    runfile.write(dead)
    (directory / "r1.s").touch()

    assert runfile.running() == []
    assert list(directory.iterdir()) == []


def test_a_zombie_does_not_run():
    process = subprocess.Popen([sys.executable, "-c", ""])
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not runfile.alive(entry(pid=process.pid, started=0.0))
        assert runfile.process_started(process.pid) is None
    finally:
        process.wait()


def test_a_reused_pid_is_not_the_job(directory):
    ours = entry()
    runfile.write(msgspec.structs.replace(ours, started=ours.started - 3600, ticks=ours.ticks - 1))

    assert runfile.running() == []
    assert list(directory.iterdir()) == []


def test_a_removal_never_leaves_the_directory(tmp_path, gone):
    thesis = tmp_path / "thesis.tex"
    thesis.touch()
    runfile.write(entry("r1", pid=gone, live=f"ipc://{thesis}"))
    runfile.write(entry("r2", pid=gone, live=f"ipc://{tmp_path}/x/../thesis.tex"))

    assert runfile.running() == []
    assert thesis.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"{}",
        b"[" * 10_000,
        b'{"run": "r1"}',
        b"\xff\xfe",
        b" " * 20_000,
    ],
    ids=["empty", "garbage", "no-fields", "deep", "few-fields", "no-utf8", "huge"],
)
def test_a_file_that_is_no_run_file_is_ignored(content, directory):
    runfile.write(entry("r2"))
    (directory / "r1.json").write_bytes(content)

    assert [found.run for found in runfile.running()] == ["r2"]


@pytest.mark.parametrize("pid", [0, -1, 2**70])
def test_a_pid_that_is_none_is_ignored(pid, directory):
    runfile.ensure_directory()
    raw = msgspec.to_builtins(entry()) | {"pid": pid}
    (directory / "r1.json").write_text(str(raw).replace("'", '"'))

    assert runfile.running() == []


def test_a_file_under_another_runs_name_is_ignored(directory):
    runfile.write(entry("r1")).rename(directory / "r2.json")
    assert runfile.running() == []


def test_text_from_a_job_is_cleaned():
    runfile.write(entry(job="\x1b[31mred", script="a\nb"))

    assert [(e.job, e.script) for e in runfile.running()] == [("\\x1b[31mred", "a\\nb")]


def test_a_directory_open_to_others_is_refused(directory):
    directory.mkdir(mode=0o700)
    directory.chmod(0o750)

    with pytest.raises(runfile.UnsafeDirectory, match="open to others") as refused:
        runfile.running()
    assert f"`chmod 700 {directory}`" in str(refused.value)
    with pytest.raises(runfile.UnsafeDirectory):
        runfile.write(entry())


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_someone_else_is_refused(directory):
    directory.mkdir(mode=0o700)
    os.chown(directory, 12345, -1)

    with pytest.raises(runfile.UnsafeDirectory, match="belongs to another user"):
        runfile.running()


def test_a_link_in_its_place_is_refused(directory, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    directory.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(runfile.UnsafeDirectory, match="not a directory"):
        runfile.running()


def test_two_endpoints_are_never_the_same():
    assert len({runfile.new_endpoint() for _ in range(10)}) == 10


def test_a_path_too_long_for_a_socket_is_told(tmp_path, monkeypatch):
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setenv("GRADWATCH_RUN_DIR", str(deep / "gradwatch"))

    with pytest.raises(OSError, match="longer than 107 bytes"):
        runfile.new_endpoint()


def test_targets_are_pids_and_names_and_a_name_may_mean_several():
    for run, job in [("r1", "one"), ("r2", "two"), ("r3", "two")]:
        runfile.write(entry(run, job=job))

    assert [e.run for e in resolve(["one"])] == ["r1"]
    assert {e.run for e in resolve(["two"])} == {"r2", "r3"}
    assert len(resolve([str(os.getpid())])) == 3
    assert len(resolve([])) == 3


def test_a_target_not_found_is_told_with_what_runs_instead():
    runfile.write(entry("r1", job="one"))

    with pytest.raises(TargetNotFound) as told:
        resolve(["one", "other"])
    assert str(told.value) == f"No job 'other' runs here; running: one ({os.getpid()})."


def test_a_process_without_the_agent_is_told_so(gone):
    with pytest.raises(TargetNotFound) as told:
        resolve([str(os.getpid())])
    assert str(told.value) == (
        f"Process {os.getpid()} has no gradwatch agent in it; "
        "no job with a gradwatch agent runs on this machine."
    )
    with pytest.raises(TargetNotFound, match=f"No job '{gone}' runs here"):
        resolve([str(gone)])
