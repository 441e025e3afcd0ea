# gradwatch-corpus: kind=none
# about: the graph of an iteration gets longer because the curriculum lengthens the roll-out (up to a cap); every roll-out starts from data
"""Learned correction of a coarse Burgers solver with a roll-out that grows during training."""
import math

import torch

from horizon import horizon_plan
from solver import Corrector, reference, rollout

CELLS, DT, ROWS = 48, 0.02, 12


def waves(gen):
    x = torch.arange(CELLS) / CELLS
    k = torch.randint(1, 4, (ROWS, 2, 1), generator=gen)
    ph = torch.rand(ROWS, 2, 1, generator=gen)
    amp = torch.randn(ROWS, 2, 1, generator=gen) * 0.5
    return (amp * torch.sin(2 * math.pi * (k * x + ph))).sum(1)


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(60)
    net = Corrector()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    plan = horizon_plan(longest=14)
    for step in range(330):
        length = plan()
        start = waves(gen)
        goal = reference(start, length, DT, 1 / CELLS)
        err = 0.0
        for ours, theirs in zip(rollout(net, start, length, DT, 1 / CELLS), goal):
            err = err + (ours - theirs).pow(2).mean() / length
        opt.zero_grad()
        err.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        plan(err.item(), step)
        if step % 55 == 0:
            print(f"step {step:3d} roll-out {length:2d} error {err.item():.3e}")
    print("mean of the last 20:", sum(plan.history[-20:]) / 20)


if __name__ == "__main__":
    main()
