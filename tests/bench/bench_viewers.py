"""What viewers cost the step of the job they watch: none, against 100 of which one is stopped.

Run by hand: python tests/bench/bench_viewers.py [--rounds 5] [--seconds 4]. The job has one core
and the viewers the others, so that what is measured is what the agent does for them. Beside it
stands the noise: two windows with nobody there.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from workloads import WORKLOADS, Step

import gradwatch_agent

LINK = Path(__file__).parent.parent / "link"
CROWD = 99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=4.0)
    asked = parser.parse_args()
    others = os.sched_getaffinity(0) - {min(os.sched_getaffinity(0))}
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    watch = gradwatch_agent.watch(name="bench")
    step = WORKLOADS["mlp"]().step
    steps: dict[str, list[float]] = {"none": [], "none again": [], "100 viewers": []}
    for number in range(asked.rounds):
        for name in random.sample(list(steps), len(steps)):
            with _crowd(others) if name == "100 viewers" else _nobody():
                steps[name].append(_usual_ms(step, asked.seconds))
        print(f"round {number}: {', '.join(f'{n} {v[-1]:.4f} ms' for n, v in steps.items())}")
    watch.stop()
    for name, values in steps.items():
        ratios = [a / b for a, b in zip(values, steps["none"], strict=True)]
        print(f"{name:12} {statistics.median(ratios):.4f} of none (load {os.getloadavg()[0]:.1f})")


def _usual_ms(step: Step, seconds: float) -> float:
    """The mean of a step, the slowest tenth left out: what the machine does else is in there."""
    took = []
    until = time.perf_counter() + seconds
    while (began := time.perf_counter()) < until:
        step()
        took.append(time.perf_counter() - began)
    return statistics.fmean(sorted(took)[: len(took) * 9 // 10]) * 1e3


@contextmanager
def _nobody() -> Iterator[None]:
    yield


@contextmanager
def _crowd(cores: set[int]) -> Iterator[None]:
    """All have joined; one of them is stopped."""
    crowd = _started(["crowd.py", str(CROWD)], cores, "joined")
    stopped = _started(["viewer.py"], cores, "up")
    stopped.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in (crowd, stopped):
            process.kill()
            process.communicate()


def _started(words: list[str], cores: set[int], says: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(LINK / words[0]), *words[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores) if cores else None,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == says
    return process


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="gw") as base:
        os.environ["GRADWATCH_RUN_DIR"] = f"{base}/gradwatch"
        main()
