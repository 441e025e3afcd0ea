"""What the agent's hooks cost a job, in one process. Run by hand:

    python tests/bench/bench_hooks.py [--workload mlp] [--blocks 120] [--steps 200]

The agent runs all the time; its two hooks are taken out of torch for one block of steps and put
back for the next, in shuffled order. Compared is the training thread's own processor time, so that
what other processes do matters little; what the agent's thread takes is not in it. Printed: the
median of the ratios of neighbouring blocks, and their quartiles. Not a test: times depend on the
machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import torch
from torch.optim import optimizer
from workloads import WORKLOADS, Step

import gradwatch_agent

_WARM_UP = 1_000


class Hooks:
    """The engine's patch and the optimizers' hook."""

    def __init__(self) -> None:
        self._engine = torch.autograd._engine_run_backward
        self._steps = dict(optimizer._global_optimizer_post_hooks)

    def put(self, *, back: bool) -> None:
        """Into torch, or out of it."""
        engine = self._engine if back else self._engine.__wrapped__
        torch.autograd._engine_run_backward = engine
        optimizer._global_optimizer_post_hooks.clear()
        optimizer._global_optimizer_post_hooks.update(self._steps if back else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="mlp", choices=WORKLOADS)
    parser.add_argument("--blocks", type=int, default=120)
    parser.add_argument("--steps", type=int, default=200, help="of a block")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    step = WORKLOADS[asked.workload]().step
    with gradwatch_agent.watch(name="bench"):
        _took_s(step, _WARM_UP)
        hooks, pairs = Hooks(), []
        for _ in range(asked.blocks):
            taken = {}
            for back in random.sample((True, False), 2):
                hooks.put(back=back)
                taken[back] = _took_s(step, asked.steps) / asked.steps
            pairs.append(taken)
        hooks.put(back=True)
    low, middle, high = statistics.quantiles((pair[True] / pair[False] for pair in pairs), n=4)
    bare = statistics.median(pair[False] for pair in pairs)
    print(f"{asked.workload}: {bare * 1e3:.2f} ms of processor time a step without hooks")
    print(f"  with them {middle:.4f}   quartiles {low:.4f} to {high:.4f}")


def _took_s(step: Step, count: int) -> float:
    began = time.thread_time()
    for _ in range(count):
        step()
    return time.thread_time() - began


if __name__ == "__main__":
    main()
