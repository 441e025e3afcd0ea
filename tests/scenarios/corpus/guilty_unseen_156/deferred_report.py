# gradwatch-corpus: kind=graph-held
# holder: reporter.pending | self.reporter.pending | self.pending
# first-bad: 1
# notice: 8
"""Inverse kinematics of a planar three-link arm, learned from forward kinematics."""
from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Callable, Iterator

import torch
from torch import Tensor, nn


@dataclass
class Settings:
    links: tuple[float, ...] = (1.0, 0.7, 0.4)
    width: int = 40
    batch: int = 64
    iters: int = 130
    lr: float = 3e-3
    seed: int = 2


@dataclass
class Reporter:
    """Formatting numbers costs a sync on the GPU box, so lines are only built when someone reads them."""

    pending: list[Callable[[], str]] = field(default_factory=list)
    started: float = field(default_factory=time.time)

    def defer(self, template: str, **values) -> None:
        def render() -> str:
            return template.format(**{k: float(v) for k, v in values.items()})
        self.pending.append(render)  # <- culprit

    def lines(self, every: int = 1) -> Iterator[str]:
        for render in self.pending[::every]:
            yield render()


class IKNet(nn.Module):
    def __init__(self, cfg: Settings):
        super().__init__()
        n = len(cfg.links)
        self.mlp = nn.Sequential(
            nn.Linear(2, cfg.width), nn.Tanh(),
            nn.Linear(cfg.width, cfg.width), nn.Tanh(),
            nn.Linear(cfg.width, n),
        )
        self.register_buffer("links", torch.tensor(cfg.links))

    def forward(self, goal: Tensor) -> Tensor:
        return torch.pi * torch.tanh(self.mlp(goal))

    def reach(self, q: Tensor) -> Tensor:
        heading = q.cumsum(dim=1)
        return torch.stack([(self.links * heading.cos()).sum(1), (self.links * heading.sin()).sum(1)], dim=1)


class ArmTrainer:
    def __init__(self, cfg: Settings):
        self.cfg = cfg
        self.net = IKNet(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.iters)
        self.reporter = Reporter()

    def goals(self) -> Tensor:
        r = 0.4 + 1.4 * torch.rand(self.cfg.batch)
        a = 2 * torch.pi * torch.rand(self.cfg.batch)
        return torch.stack([r * a.cos(), r * a.sin()], dim=1)

    def step(self) -> None:
        goal = self.goals()
        q = self.net(goal)
        miss = (self.net.reach(q) - goal).norm(dim=1)
        effort = q.pow(2).mean()
        loss = miss.mean() + 0.01 * effort
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.reporter.defer("miss {miss:.3f}  effort {effort:.3f}", miss=miss.mean(), effort=effort)  # <- culprit

    def fit(self) -> None:
        for _ in range(self.cfg.iters):
            self.step()
        for line in self.reporter.lines(every=26):
            print(line)


if __name__ == "__main__":
    cfg = Settings()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    ArmTrainer(cfg).fit()
