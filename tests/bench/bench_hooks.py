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
from typing import Any

import torch
from torch import nn
from torch.optim import optimizer
from workloads import WORKLOADS, Job, Step

import gradwatch_agent

_WARM_UP = 1_000


class Hooks:
    """The engine's patch and the optimizers' hook; out of torch and back again."""

    def __init__(self, model: nn.Module) -> None:
        self._weights = tuple(model.parameters())
        self._engine: Any = None
        self._steps: dict[int, Any] = {}
        self._versions: tuple[int, ...] = ()

    def take_out(self) -> None:
        """What is in their places at the moment."""
        self._engine = torch.autograd._engine_run_backward
        self._steps = dict(optimizer._global_optimizer_post_hooks)
        self._versions = tuple(weight._version for weight in self._weights)
        torch.autograd._engine_run_backward = self._engine.__wrapped__
        optimizer._global_optimizer_post_hooks.clear()

    def put_back(self) -> None:
        """As if there had been no steps meanwhile: they are counted by the weights' versions."""
        torch.autograd._engine_run_backward = self._engine
        optimizer._global_optimizer_post_hooks.update(self._steps)
        torch._C._autograd._unsafe_set_version_counter(self._weights, self._versions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="mlp", choices=WORKLOADS)
    parser.add_argument("--blocks", type=int, default=120)
    parser.add_argument("--steps", type=int, default=200, help="of a block")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    job = WORKLOADS[asked.workload]()
    with gradwatch_agent.watch(name="bench"):
        _took_s(job.step, _WARM_UP)
        pairs = _measured(job, asked.blocks, asked.steps)
    low, middle, high = statistics.quantiles((hooked / bare for hooked, bare in pairs), n=4)
    alone = statistics.median(bare for _, bare in pairs)
    print(f"{asked.workload}: {alone * 1e3:.2f} ms of processor time a step without hooks")
    print(f"  with them {middle:.4f}   quartiles {low:.4f} to {high:.4f}")


def _measured(job: Job, blocks: int, steps: int) -> list[tuple[float, float]]:
    """What a step took with hooks and without, in seconds, block by block."""
    hooks, pairs = Hooks(job.model), []
    for _ in range(blocks):
        taken = {}
        for hooked in random.sample((True, False), 2):
            if not hooked:
                hooks.take_out()
            taken[hooked] = _took_s(job.step, steps) / steps
            if not hooked:
                hooks.put_back()
        pairs.append((taken[True], taken[False]))
    return pairs


def _took_s(step: Step, count: int) -> float:
    began = time.thread_time()
    for _ in range(count):
        step()
    return time.thread_time() - began


if __name__ == "__main__":
    main()
