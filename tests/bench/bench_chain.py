"""What the agent takes of a job whose graph grows to a million nodes. Run by hand:

    python tests/bench/bench_chain.py [--rounds 3] [--nodes 1000000] [--iterations 60]

A chain leak, from its first node on, bare and watched in turns, in shuffled order. Printed: each
one's processor time, its ratio to that round's bare one, and the ratio over the last tenth of the
iterations alone, where nearly a million nodes are walked by each backward. Not a test: it takes
half an hour.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time

import torch
from monitors import Monitor, bare, gradwatch
from workloads import Job

_RUNS: dict[str, Monitor] = {"bare": bare, "bare again": bare, "gradwatch": gradwatch}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--iterations", type=int, default=60)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(f"load {os.getloadavg()[0]:.1f}, {asked.nodes:,} nodes in {asked.iterations} iterations")
    ratios: dict[str, list[tuple[float, float]]] = {name: [] for name in _RUNS}
    for _ in range(asked.rounds):
        taken = {
            name: _grown(_RUNS[name], asked.iterations, asked.nodes // asked.iterations)
            for name in random.sample(list(_RUNS), len(_RUNS))
        }
        whole, end = taken["bare"]
        for name, (seconds, last) in taken.items():
            ratios[name].append((seconds / whole, last / end))
            print(f"  {name:<12} {seconds:7.2f} s   last tenth {last:6.2f} s", flush=True)
    for name, values in ratios.items():
        whole, end = (statistics.median(column) for column in zip(*values, strict=True))
        print(f"{name:<12} {whole:.4f} of bare, in the last tenth {end:.4f}")


def _grown(monitor: Monitor, iterations: int, nodes: int) -> tuple[float, float]:
    """Seconds of the processor that all iterations take, and the last tenth of them."""
    ends = []
    with monitor(_chain(nodes)) as step:
        begun = time.process_time()
        for _ in range(iterations):
            step()
            ends.append(time.process_time())
    return ends[-1] - begun, ends[-1] - ends[-1 - iterations // 10]


def _chain(nodes: int) -> Job:
    """A job whose every step makes the graph so many nodes longer, and walks all of it."""
    weight = torch.ones(1, requires_grad=True)
    state = weight * 1.0

    def step() -> None:
        nonlocal state
        for _ in range(nodes):
            state = state * 1.0
        state.sum().backward(retain_graph=True)

    return Job(torch.nn.Identity(), step)


if __name__ == "__main__":
    main()
