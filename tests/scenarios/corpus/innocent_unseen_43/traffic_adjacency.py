# gradwatch-corpus: kind=none
"""Speed forecast on a learned road graph; the adjacency is built once for an update and shared by the blocks."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class LearnedGraph(nn.Module):
    def __init__(self, nodes, dim=8):
        super().__init__()
        self.src = nn.Parameter(torch.randn(nodes, dim) * 0.5)
        self.dst = nn.Parameter(torch.randn(nodes, dim) * 0.5)
        self._cached = None

    def invalidate(self, *_):
        self._cached = None

    def forward(self):
        if self._cached is None:
            self._cached = F.softmax(F.relu(self.src @ self.dst.t()), dim=-1)
        return self._cached


class Block(nn.Module):
    def __init__(self, width, graph):
        super().__init__()
        self.lin = nn.Linear(2 * width, width)
        object.__setattr__(self, "graph", graph)

    def forward(self, h):
        spread = self.graph() @ h
        return h + torch.relu(self.lin(torch.cat([h, spread], -1)))


class RoadModel(nn.Module):
    def __init__(self, nodes, past, width=16):
        super().__init__()
        self.graph = LearnedGraph(nodes)
        self.inp = nn.Linear(past, width)
        self.blocks = nn.ModuleList(Block(width, self.graph) for _ in range(3))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = b(h)
        return self.out(h).squeeze(-1)


class WindowSampler:
    """Prefers windows with a large recent error."""

    def __init__(self, series, past, seed=0):
        self.series, self.past = series, past
        self.score = {k: 1.0 for k in range(series.shape[1] - past)}
        self.rng = random.Random(seed)

    def draw(self, n):
        keys = self.rng.choices(list(self.score), weights=[float(v) for v in self.score.values()], k=n)
        x = torch.stack([self.series[:, k:k + self.past] for k in keys])
        return keys, x, torch.stack([self.series[:, k + self.past] for k in keys])

    def feedback(self, keys, errs):
        for k, e in zip(keys, errs.detach().unbind()):
            self.score[k] = e.clone()


def series(nodes, length, seed=2):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()
    base = torch.sin(t / 6 + 6.28 * torch.rand(nodes, 1, generator=g))
    return base + 0.1 * torch.randn(nodes, length, generator=g)


def main():
    torch.manual_seed(0)
    model = RoadModel(nodes=15, past=8)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    opt.register_step_post_hook(lambda *_: model.graph.invalidate())
    sampler = WindowSampler(series(15, 160), past=8)
    for step in range(1, 121):
        keys, x, y = sampler.draw(16)
        err = (model(x) - y).pow(2).mean(-1)
        loss = err.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.feedback(keys, err)
        if step % 40 == 0:
            model.eval()
            with torch.no_grad():
                _, vx, vy = sampler.draw(32)
                print(f"{step}: train {loss.item():.4f} check {F.mse_loss(model(vx), vy):.4f}")
            model.graph.invalidate()
            model.train()


if __name__ == "__main__":
    main()
