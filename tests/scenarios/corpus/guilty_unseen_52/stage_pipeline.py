# gradwatch-corpus: kind=inplace-modified
# first-bad: 15
from functools import partial, reduce
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Settings(NamedTuple):
    steps: int = 120
    damp_from: int = 15
    damp: float = 0.7
    lr: float = 5e-3
    width: int = 32


def damped(factor):
    def stage(h):
        return h.mul_(factor)  # <- culprit
    stage.__name__ = f"damped_{factor}"
    return stage


def normed(h, eps=1e-5):
    return (h - h.mean(-1, keepdim=True)) / (h.std(-1, keepdim=True) + eps)


def stage_name(fn):
    if isinstance(fn, partial):
        return stage_name(fn.func)
    return getattr(fn, "__name__", type(fn).__name__)


class Pipeline(nn.Module):
    """A list of callables, some of them with weights, applied in turn."""

    def __init__(self, *stages):
        super().__init__()
        self.weighted = nn.ModuleList(s for s in stages if isinstance(s, nn.Module))
        self.stages = list(stages)

    def insert_after(self, name, fn):
        at = [stage_name(s) for s in self.stages].index(name)
        self.stages.insert(at + 1, fn)

    def describe(self):
        return " > ".join(map(stage_name, self.stages))

    def forward(self, x):
        return reduce(lambda h, fn: fn(h), self.stages, x)


def build(cfg):
    return Pipeline(
        nn.Linear(10, cfg.width),
        partial(normed, eps=1e-4),
        torch.sigmoid,
        nn.Linear(cfg.width, cfg.width),
        F.relu,
        nn.Linear(cfg.width, 1),
    )


def make_batches(cfg, seed=12):
    g = torch.Generator().manual_seed(seed)
    for step in range(cfg.steps):
        x = torch.rand(40, 10, generator=g)
        y = 10 * torch.sin(3.14 * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
        yield step, x, (y.unsqueeze(1) - 14) / 5


def main(cfg=Settings()):
    torch.manual_seed(cfg.steps)
    pipe = build(cfg)
    opt = torch.optim.RMSprop(pipe.parameters(), lr=cfg.lr)
    print(pipe.describe())
    for step, x, y in make_batches(cfg):
        if step == cfg.damp_from:
            pipe.insert_after("sigmoid", damped(cfg.damp))  # <- culprit
            print("warm-up over:", pipe.describe())
        loss = F.mse_loss(pipe(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            print(f"{step:3d}  {loss.item():.4f}")


if __name__ == "__main__":
    main()
