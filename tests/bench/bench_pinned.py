"""What the agent costs a fast job, where the machine is too restless for a clock. Run by hand:

    python tests/bench/bench_pinned.py [--workload mlp] [--rounds 12] [--seconds 8]

In each round three processes train at once on one core: bare, bare again, and watched. The
scheduler gives them turns of some milliseconds, so that whatever slows the core slows all three;
compared is the processor time that each took for a step, the agent's thread included. (The budget
is a share of the wall's time, which goes on in the others' turns: here it is a third.) Printed:
median and quartiles of the ratio to that round's bare one. Not a test: times depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

import torch
from monitors import MONITORS
from workloads import WORKLOADS, Step

_COMPARED = ("bare", "bare again", "gradwatch")
_WARM_UP_S = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="mlp", choices=WORKLOADS)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=8.0, help="of a round")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        _train(asked.workload, asked.child, asked.seconds)
        return
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # the children inherit it
    os.environ["GRADWATCH_BUDGET"] = str(0.01 / len(_COMPARED))
    ratios: dict[str, list[float]] = {name: [] for name in _COMPARED[1:]}
    for _ in range(asked.rounds):
        taken = _round(asked.workload, asked.seconds)
        for name, values in ratios.items():
            values.append(taken[name] / taken["bare"])
    print(f"{asked.workload}: {taken['bare'] * 1e3:.2f} ms of processor time a step, bare")
    for name, values in ratios.items():
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"  {name:<12} {middle:.4f}   quartiles {low:.4f} to {high:.4f}")


def _round(workload: str, seconds: float) -> dict[str, float]:
    """Seconds of processor time a step, by the monitor's name."""
    command = (sys.executable, __file__, "--workload", workload, "--seconds", str(seconds))
    children = {
        name: subprocess.Popen(
            (*command, "--child", name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in _COMPARED
    }
    for child in children.values():
        assert child.stdout is not None
        child.stdout.readline()  # it is warm
    for child in children.values():
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    return {name: float(child.communicate()[0]) for name, child in children.items()}


def _train(workload: str, monitor: str, seconds: float) -> None:
    torch.set_num_threads(1)
    with MONITORS.get(monitor, MONITORS["bare again"])(WORKLOADS[workload]()) as step:
        _steps(step, _WARM_UP_S)
        print(flush=True)
        sys.stdin.readline()
        begun = time.process_time()
        steps = _steps(step, seconds)
        print((time.process_time() - begun) / steps)


def _steps(step: Step, seconds: float) -> int:
    until = time.monotonic() + seconds
    steps = 0
    while time.monotonic() < until:
        step()
        steps += 1
    return steps


if __name__ == "__main__":
    main()
