# gradwatch-corpus: kind=graph-held
# holder: self.reports | engine.reports
# first-bad: 1
import enum
import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List

import torch
from torch import nn


class Ev(enum.Enum):
    STARTED = 0
    ITERATION = 1
    COMPLETED = 2


@dataclass
class Report:
    step: int
    terms: Dict[str, Any]
    lr: float


@dataclass
class Engine:
    fn: Callable[["Engine", torch.Tensor], Dict[str, Any]]
    step: int = 0
    reports: List[Report] = field(default_factory=list)
    handlers: Dict[Ev, list] = field(default_factory=lambda: defaultdict(list))

    def on(self, ev: Ev):
        def deco(f):
            self.handlers[ev].append(f)
            return f
        return deco

    def fire(self, ev: Ev) -> None:
        for h in self.handlers[ev]:
            h(self)

    def run(self, source, n: int) -> None:
        self.fire(Ev.STARTED)
        for self.step in range(n):
            out = self.fn(self, next(source))
            self.reports.append(Report(self.step, out, sched.get_last_lr()[0]))  # <- culprit
            self.fire(Ev.ITERATION)
        self.fire(Ev.COMPLETED)


class Completer(nn.Module):
    def __init__(self, out_pts: int = 48) -> None:
        super().__init__()
        self.point = nn.Sequential(nn.Conv1d(3, 32, 1), nn.ReLU(), nn.Conv1d(32, 64, 1))
        self.fold = nn.Sequential(nn.Linear(64 + 2, 48), nn.ReLU(), nn.Linear(48, 3))
        side = int(math.sqrt(out_pts))
        u = torch.linspace(-1, 1, side)
        self.register_buffer("grid", torch.cartesian_prod(u, u))

    def forward(self, pts: torch.Tensor) -> torch.Tensor:
        code = self.point(pts.transpose(1, 2)).amax(-1)
        code = code[:, None].expand(-1, self.grid.shape[0], -1)
        grid = self.grid.expand(len(pts), -1, -1)
        return self.fold(torch.cat([code, grid], -1))


def chamfer(a: torch.Tensor, b: torch.Tensor):
    d = torch.cdist(a, b)
    return d.amin(2).mean(), d.amin(1).mean()


def scans(bs: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    while True:
        axes = torch.rand(bs, 1, 3, generator=g) + 0.5
        pts = torch.randn(bs, 64, 3, generator=g)
        yield pts / pts.norm(dim=-1, keepdim=True) * axes


torch.manual_seed(4)
net = Completer()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 450)


def update(engine: Engine, full: torch.Tensor) -> Dict[str, Any]:
    partial = full[:, :40]
    accuracy, coverage = chamfer(net(partial), full)
    loss = accuracy + 1.5 * coverage
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    return {"acc": accuracy, "cov": coverage}  # <- culprit


engine = Engine(update)


@engine.on(Ev.ITERATION)
def show(e: Engine) -> None:
    if e.step % 90 == 0:
        last = e.reports[-1]
        print(e.step, {k: round(v.item(), 4) for k, v in last.terms.items()}, f"{last.lr:.1e}")


@engine.on(Ev.COMPLETED)
def summary(e: Engine) -> None:
    tail = e.reports[-50:]
    print("tail coverage", sum(r.terms["cov"].item() for r in tail) / len(tail))


if __name__ == "__main__":
    engine.run(scans(8, 4), 450)
