"""Whether anything of the agent's grows over a million iterations. Run by hand:

    python tests/bench/bench_soak.py [--iterations 1000000] [--attached]

Trains a tiny model and prints the resident memory of the job after each tenth; with --attached,
that of a `gradwatch watch` on the job too. Not a test: it takes minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import torch

import gradwatch_agent

_PARTS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--attached", action="store_true", help="with a headless watcher")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    weight = torch.rand(8, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1e-6)
    with gradwatch_agent.watch(name="soak"), _watcher(asked.attached) as watcher:
        for part in range(_PARTS + 1):
            if part:
                _train(weight, optimizer, asked.iterations // _PARTS)
            else:
                _train(weight, optimizer, 5_000)  # what is made once is made
            print(f"{part * asked.iterations // _PARTS:>9,}  {_megabytes(watcher)}", flush=True)


def _train(weight: torch.Tensor, optimizer: torch.optim.Optimizer, iterations: int) -> None:
    for _ in range(iterations):
        optimizer.zero_grad()
        (weight * weight).sum().backward()
        optimizer.step()


@contextlib.contextmanager
def _watcher(wanted: bool) -> Iterator[psutil.Process | None]:
    if not wanted:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "gradwatch", "watch", str(os.getpid()))
        log = Path(folder) / "log.jsonl"
        child = subprocess.Popen([*command, "--log", str(log)], stdout=subprocess.DEVNULL)
        time.sleep(3)  # until it has joined
        try:
            yield psutil.Process(child.pid)
        finally:
            child.terminate()
            child.wait()


def _megabytes(watcher: psutil.Process | None) -> str:
    job = f"job {psutil.Process().memory_info().rss / 1e6:8.2f} MB"
    if watcher is None:
        return job
    return f"{job}   watcher {watcher.memory_info().rss / 1e6:8.2f} MB"


if __name__ == "__main__":
    main()
