# gradwatch-corpus: kind=second-backward
# holder: self.batons[group] | self.batons | locker.batons | relay.locker.batons | self.locker.batons
# first-bad: 12
# also: graph-held
"""One-step-ahead joint angles from arm telemetry, truncated at the chunk borders."""
import argparse
import functools

import torch
import torch.nn.functional as F

from cell import TwoSpeed
from memory import Locker
from streams import Fleet


class Relay:
    def __init__(self, opts):
        self.cell = TwoSpeed()
        self.locker = Locker(functools.partial(self.cell.blank, opts.arms))
        self.opt = torch.optim.Adam(self.cell.parameters(), lr=opts.lr)

    def follow(self, chunk):
        said, baton = self.cell(chunk.signal, self.locker.take(chunk.group, chunk.fresh))
        self.locker.put(chunk.group, baton)
        return F.mse_loss(said, chunk.target), baton.chunks

    def step(self, chunk):
        error, age = self.follow(chunk)
        self.opt.zero_grad()
        error.backward()
        torch.nn.utils.clip_grad_value_(self.cell.parameters(), 0.5)
        self.opt.step()
        return error.item(), age


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--arms", type=int, default=8)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=14)
    return p.parse_args()


def main():
    opts = options()
    torch.manual_seed(opts.seed)
    relay = Relay(opts)
    for n, chunk in zip(range(opts.steps), Fleet(arms=opts.arms, seed=opts.seed)):
        error, age = relay.step(chunk)
        if n % 6 == 0:
            print(f"{n:4d} group {chunk.group:2d} chunk {age:2d} mse {error:.4f}")


if __name__ == "__main__":
    main()
