"""A job and a viewer whose sessions set different variables, with the directories of everyday."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from .commands import started


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A session's own, short; and nobody names a run directory."""
    monkeypatch.delenv("GRADWATCH_RUN_DIR")
    with tempfile.TemporaryDirectory(prefix="gw") as folder:
        yield Path(folder)


@pytest.fixture
def job(start_job, folder, monkeypatch):
    """Begun as cron and batch systems do, without a login's variables."""
    with monkeypatch.context() as there:
        there.delenv("XDG_RUNTIME_DIR", raising=False)
        there.setenv("TMPDIR", str(folder))
        job = start_job(uuid4().hex)  # it lies among the user's own
    yield job
    job.end()


def test_a_job_without_a_runtime_directory_is_found_by_a_login(job, folder, monkeypatch):
    (folder / "runtime").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder / "runtime"))
    is_followed(job)


def is_followed(job) -> None:
    with started("watch", str(job.pid), "--until-exit") as watch:
        assert watch.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("finding")
        assert " toy critical graph-chain raised at iteration 0" in watch.said()
        job.tell("stop")
        assert watch.end() == 0


RUNTIME = Path(f"/run/user/{os.getuid()}")


@pytest.mark.skipif(not os.access(RUNTIME, os.W_OK), reason="no login has made it here")
def test_a_job_of_a_login_is_found_without_its_variables(start_job, folder, monkeypatch):
    with monkeypatch.context() as there:
        there.setenv("XDG_RUNTIME_DIR", str(RUNTIME))
        job = start_job(uuid4().hex)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    is_followed(job)
    job.end()
