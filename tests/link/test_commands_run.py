"""`gradwatch run` with the real torch and the real agent; tests/unit has its finer points."""

import fcntl
import json
import subprocess
import sys
from contextlib import contextmanager

import pytest

from .commands import GRADWATCH, ran

TRAIN = """
import sys
import torch

x = torch.ones(2, requires_grad=True)
if __name__ == "__main__":
    (x * 2).sum().backward()
    print("trained", flush=True)
    sys.stdin.readline()
"""

LOADERS = """
import sys
import torch
from torch.utils.data import DataLoader

if __name__ == "__main__":
    batches = iter(DataLoader([1, 2, 3], num_workers=1, multiprocessing_context="spawn"))
    next(batches)
    torch.ones(2, requires_grad=True).sum().backward()
    print("trained", flush=True)
    sys.stdin.readline()
"""

RANKS = """
import fcntl, sys
import torch

torch.ones(2, requires_grad=True).sum().backward()
fcntl.flock(open(sys.argv[1]), fcntl.LOCK_SH)
"""


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@contextmanager
def running(*arguments: str):
    """A command under `gradwatch run`, from its first line on."""
    with subprocess.Popen(
        [*GRADWATCH, "run", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "trained\n"
            yield process
            process.communicate("\n", timeout=60)
        finally:
            process.kill()


def jobs() -> list[dict]:
    return json.loads(ran("list", "--json").stdout)


def script(directory, text: str) -> str:
    path = directory / "train.py"
    path.write_text(text)
    return str(path)


def test_a_script_is_watched_under_its_own_name(tmp_path):
    with running(sys.executable, script(tmp_path, TRAIN)) as process:
        assert [(job["job"], job["pid"]) for job in jobs()] == [("train.py", process.pid)]
    assert (process.returncode, jobs()) == (0, [])


def test_a_name_given_is_the_jobs(tmp_path):
    with running("--name", "run-7", "--", sys.executable, script(tmp_path, TRAIN)):
        assert [job["job"] for job in jobs()] == ["run-7"]


def test_loaders_of_data_are_no_jobs(tmp_path):
    with running(sys.executable, script(tmp_path, LOADERS)) as process:
        assert [job["pid"] for job in jobs()] == [process.pid]


def test_nothing_is_watched_where_the_agent_is_off(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADWATCH_OFF", "1")
    with running(sys.executable, script(tmp_path, TRAIN)):
        assert jobs() == []


def test_each_rank_of_torchrun_is_a_job(tmp_path):
    goes_on = tmp_path / "goes_on"
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command = [*GRADWATCH, "run", "--", *launch, script(tmp_path, RANKS), str(goes_on)]
    with goes_on.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                while process.poll() is None and len(found := jobs()) < 2:
                    pass
                assert sorted((job["rank"], job["world_size"]) for job in found) == [(0, 2), (1, 2)]
                assert process.pid not in [job["pid"] for job in found]
            finally:
                fcntl.flock(held, fcntl.LOCK_UN)
                process.wait(60)
