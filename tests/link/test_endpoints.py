"""Where the agent listens when it is told to."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from gradwatch_agent import runfile, wire
from gradwatch_agent.link.publisher import Publisher

HELLO = wire.Hello(run="r9", job="toy", host="here", pid=1, started=0.0)


def publisher(endpoint: str) -> Publisher:
    return Publisher(
        hello=HELLO,
        heart=lambda now: (),
        beat=lambda lost, rejected, viewers: wire.Beat(at=0.0),
        log=None,
        endpoint=endpoint,
    )


def test_a_chosen_path_is_used_and_kept_private(start_job, watch, monkeypatch, tmp_path):
    path = Path(short(tmp_path))
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"ipc://{path}")
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    job.tell("stop")
    assert list(path.parent.glob("s*")) == []


def test_a_path_that_a_living_job_uses_is_not_stolen(start_job, watch, monkeypatch, tmp_path):
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"ipc://{short(tmp_path)}")
    start_job("r1")
    start_job("r2")
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1") and watcher.is_up("r2"))

    assert [entry.live for entry in runfile.running()] == [
        f"ipc://{short(tmp_path)}",
        f"ipc://{short(tmp_path)}.1",
    ]


def test_each_rank_of_a_machine_has_its_place(start_job, monkeypatch, tmp_path):
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"ipc://{short(tmp_path)}")
    monkeypatch.setenv("LOCAL_RANK", "3")
    start_job()

    assert [entry.live for entry in runfile.running()] == [f"ipc://{short(tmp_path)}.3"]


def test_a_path_that_a_dead_job_left_is_used_again(start_job, monkeypatch, tmp_path):
    monkeypatch.setenv("GRADWATCH_ENDPOINT", f"ipc://{short(tmp_path)}")
    start_job().kill()

    assert start_job().tell("post 1") == "done"


def test_a_file_that_is_no_socket_is_not_removed(tmp_path):
    path = tmp_path / "thesis.tex"
    path.write_text("years of work")
    with pytest.raises(FileExistsError):
        publisher(f"ipc://{path}").start()

    assert path.read_text() == "years of work"


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        ("tcp://0.0.0.0:5555", "TCP needs keys"),
        ("ipc://@abstract", "full path"),
        ("ipc://relative", "full path"),
        ("/a/path", "full path"),
        ("", "full path"),
        ("tcp://0.0.0.0", "tcp://HOST:PORT"),
        ("tcp://0.0.0.0:70000", "tcp://HOST:PORT"),
    ],
)
def test_what_is_no_private_socket_is_refused(endpoint, why):
    with pytest.raises(ValueError, match=why):
        publisher(endpoint).start()


def test_a_path_too_long_for_a_socket_is_an_oserror(tmp_path):
    with pytest.raises(OSError, match=r"."):
        publisher(f"ipc://{tmp_path}/{'long' * 40}").start()


def test_a_directory_open_to_others_is_refused(run_directory):
    run_directory.mkdir(mode=0o755)
    run_directory.chmod(0o755)
    with pytest.raises(OSError, match="open to others"):
        publisher(None).start()


def short(directory: Path) -> str:
    """A socket path; pytest's own directories are within the limit of 107 bytes by far."""
    path = f"{directory}/s"
    assert len(path) < 100
    assert socket.AF_UNIX
    return path
