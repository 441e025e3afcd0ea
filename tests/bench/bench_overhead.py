"""What a monitor costs a training job. Run by hand:

    python tests/bench/bench_overhead.py [--workload mlp ...] [--monitor gradwatch ...] [--cpu]

All in one process, in rounds; in each round every monitor and the bare job run once, in shuffled
order, and each gives one ratio to that round's bare one. Printed: median and quartiles, and as
noise floor the same for a second bare run. Not a test: times depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import time
from collections.abc import Callable

import torch
from monitors import MONITORS, Monitor, bare
from workloads import WORKLOADS, Job

WARM_UP_S = 0.3
WARM_UP_STEPS = 24
"""Before the clock starts, at least: what a monitor does once, in the first iterations, is left
out. gradwatch counts the first 16 at any cost."""

_USUAL = [name for name in MONITORS if name not in ("wandb.watch", "TraceML")]
"""Those two are asked for by name: one needs its package, the other a process it has started."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", nargs="*", default=list(WORKLOADS), choices=WORKLOADS)
    parser.add_argument("--monitor", nargs="*", default=_USUAL, choices=MONITORS)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run in a round")
    parser.add_argument("--cpu", action="store_true", help="processor time, for a busy machine")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    clock = time.process_time if asked.cpu else time.perf_counter
    print(
        f"{os.cpu_count()} cores, Python {platform.python_version()}, torch {torch.__version__}, "
        f"load {os.getloadavg()[0]:.1f}, {'processor' if asked.cpu else 'wall'} time"
    )
    for name in asked.workload:
        job = WORKLOADS[name]()
        monitors = {monitor: MONITORS[monitor] for monitor in asked.monitor if monitor != "bare"}
        _compare(name, job, monitors, asked.rounds, asked.seconds, clock)


def _compare(
    name: str,
    job: Job,
    monitors: dict[str, Monitor],
    rounds: int,
    seconds: float,
    clock: Callable[[], float],
) -> None:
    bare_s = min(_timed(job, bare, 5, clock) for _ in range(5))
    steps = max(int(seconds / bare_s), 3)
    print(f"\n{name}: {bare_s * 1e3:.2f} ms a step, {rounds} rounds of {steps} steps")
    ratios: dict[str, list[float]] = {monitor: [] for monitor in monitors}
    for _ in range(rounds):
        runs = {"": bare, **monitors}
        taken = {
            monitor: _timed(job, runs[monitor], steps, clock)
            for monitor in random.sample(list(runs), len(runs))
        }
        for monitor, values in ratios.items():
            values.append(taken[monitor] / taken[""])
    for monitor, values in ratios.items():
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"  {monitor:<20} {middle:.4f}   quartiles {low:.4f} to {high:.4f}", flush=True)


def _timed(job: Job, monitor: Monitor, steps: int, clock: Callable[[], float]) -> float:
    """Seconds a step."""
    with monitor(job) as step:
        until = time.perf_counter() + WARM_UP_S
        for _ in range(WARM_UP_STEPS):
            step()
        while time.perf_counter() < until:
            step()
        _finish()
        begun = clock()
        for _ in range(steps):
            step()
        _finish()
        return (clock() - begun) / steps


def _finish() -> None:
    """What was asked of a device is done before the clock is read."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
