# gradwatch-corpus: kind=none
"""Photometric alignment of a warped pattern with a record of the best candidates found."""
import argparse
import heapq
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(order=True)
class Candidate:
    rank: float
    order: int
    step: int = field(compare=False)
    loss: torch.Tensor = field(compare=False)
    params: dict = field(compare=False)


class Leaderboard:
    """The k best candidates so far, with everything needed to look at them again."""

    def __init__(self, k):
        self.k = k
        self.heap = []
        self.tick = itertools.count()

    def consider(self, step, loss, params):
        item = Candidate(-loss.item(), next(self.tick), step, loss, params)
        if len(self.heap) < self.k:
            heapq.heappush(self.heap, item)
        else:
            heapq.heappushpop(self.heap, item)

    def best(self):
        return max(self.heap)


class Warp(nn.Module):
    def __init__(self, knots=12):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(knots))
        self.gain = nn.Parameter(torch.ones(()))

    def forward(self, grid):
        dense = nn.functional.interpolate(
            self.shift[None, None], size=grid.numel(), mode="linear", align_corners=True
        )[0, 0]
        return self.gain * torch.sin(6 * (grid + dense)) + 0.3 * torch.cos(11 * (grid + dense))

    def snapshot(self):
        return {n: p.clone() for n, p in self.named_parameters()}


class EarlyStop:
    def __init__(self, patience):
        self.patience = patience
        self.best = None
        self.bad = 0

    def update(self, loss):
        if self.best is None or loss < self.best:
            self.best, self.bad = loss, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


class Aligner:
    def __init__(self, board, stop, lr=1e-2):
        self.warp = Warp()
        self.board = board
        self.stop = stop
        self.opt = torch.optim.Adam(self.warp.parameters(), lr=lr)
        self.grid = torch.linspace(0, 2, 128)

    def observe(self):
        truth = torch.sin(6 * (self.grid + 0.1 * torch.sin(3 * self.grid)))
        return truth + 0.1 * torch.randn_like(truth)

    def run(self, steps):
        for step in range(steps):
            residual = self.warp(self.grid) - self.observe()
            smooth = self.warp.shift.diff().pow(2).sum()
            loss = residual.pow(2).mean() + 0.1 * smooth
            self.opt.zero_grad()
            loss.backward()
            self.board.consider(step, loss, self.warp.snapshot())
            self.opt.step()
            if self.stop.update(loss):
                print("plateau at", step)
                self.stop.bad = 0
            if step % 100 == 0:
                print(f"{step}: {loss.item():.4f} best {self.board.best().loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    args = parser.parse_args()
    torch.manual_seed(14)
    aligner = Aligner(Leaderboard(5), EarlyStop(150))
    aligner.run(args.steps)
    print("best step", aligner.board.best().step)


if __name__ == "__main__":
    main()
