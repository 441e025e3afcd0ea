# gradwatch-corpus: kind=none
# about: boosting: a model more per stage and new optimisers, margins from frozen members without graph; 15 members at most, small
# boosting of little networks: each stage fits what the former stages left over
from __future__ import annotations

import time
from functools import cached_property

import numpy as np
import torch
from torch import nn


class Problem:
    def __init__(self, n=3000, d=12, seed=1):
        self.n, self.d, self.seed = n, d, seed

    @cached_property
    def xy(self):
        rng = np.random.default_rng(self.seed)
        x = rng.normal(size=(self.n, self.d)).astype("f4")
        y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + np.maximum(x[:, 3], 0) ** 2 - np.abs(x[:, 4])
        return torch.from_numpy(x), torch.from_numpy(y + .1 * rng.normal(size=self.n).astype("f4"))

    def slices(self, size, epochs, seed):
        g = torch.Generator().manual_seed(seed)
        for _ in range(epochs):
            for idx in torch.randperm(self.n, generator=g).split(size):
                yield idx


class Boosted:
    def __init__(self, problem, shrink=.5):
        self.problem, self.shrink = problem, shrink
        self.members: list[nn.Module] = []
        self.margin = torch.zeros(problem.n)          # what the finished members say, row by row

    def grow(self, stage):
        x, y = self.problem.xy
        weak = nn.Sequential(nn.Linear(self.problem.d, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))
        opt = torch.optim.Adam(weak.parameters(), lr=6e-3)
        losses = []
        for idx in self.problem.slices(200, 2, stage):
            miss = y[idx] - self.margin[idx] - weak(x[idx]).squeeze(1)
            loss = miss.square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        weak.requires_grad_(False)
        self.members.append(weak.eval())
        self.margin += self.shrink * weak(x).squeeze(1)
        return losses

    def __call__(self, x):
        return self.shrink * sum(m(x).squeeze(1) for m in self.members)


torch.manual_seed(77)
model = Boosted(Problem())
fresh = Problem(800, seed=2)
tick = time.perf_counter()
for stage in range(15):
    losses = model.grow(stage)
    xs, ys = fresh.xy
    print(f"stage {stage:2d} first {losses[0]:.3f} last {losses[-1]:.3f} test {(model(xs) - ys).square().mean().item():.3f}")
print("members", len(model.members), "seconds", round(time.perf_counter() - tick, 1))
