# gradwatch-corpus: kind=graph-held
# holder: self.submitted | self.scheduler.submitted | scheduler.submitted | self.tasks.submitted | fut | future | trainer.scheduler.submitted
# first-bad: 1
# notice: 8
"""Protein stability (ddG of point mutations): an ensemble of heads, whose losses are
computed by a small thread pool and then reduced on the main thread."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

AA = 20
HYDRO = torch.tensor([1.8, 2.5, -3.5, -3.5, 2.8, -0.4, -3.2, 4.5, -3.9, 3.8,
                      1.9, -3.5, -1.6, -3.5, -4.5, -0.8, -0.7, 4.2, -0.9, -1.3])
VOL = torch.tensor([88., 108, 111, 138, 189, 60, 153, 166, 168, 166,
                    162, 114, 112, 143, 173, 89, 116, 140, 227, 193]) / 100


@dataclass
class Mutants:
    wild: torch.Tensor
    mutant: torch.Tensor
    context: torch.Tensor
    burial: torch.Tensor
    ddg: torch.Tensor


def sample(n: int, window: int = 7) -> Mutants:
    ctx = torch.randint(0, AA, (n, window))
    wild = ctx[:, window // 2]
    mut = torch.randint(0, AA, (n,))
    burial = torch.rand(n)
    d = burial * (0.4 * (HYDRO[wild] - HYDRO[mut]) + 1.5 * (VOL[wild] - VOL[mut]).abs())
    d = d + 0.1 * HYDRO[ctx].mean(1) + 0.2 * torch.randn(n)
    return Mutants(wild, mut, ctx, burial, d)


class Backbone(nn.Module):
    def __init__(self, dim: int = 24):
        super().__init__()
        self.aa = nn.Embedding(AA, dim)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)
        self.fuse = nn.Linear(3 * dim + 1, dim)

    def forward(self, m: Mutants):
        c = F.silu(self.conv(self.aa(m.context).transpose(1, 2))).amax(-1)
        z = torch.cat([c, self.aa(m.wild), self.aa(m.mutant), m.burial[:, None]], -1)
        return F.silu(self.fuse(z))


class Head(nn.Module):
    def __init__(self, dim: int = 24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 16), nn.Tanh(), nn.Linear(16, 2))

    def nll(self, z, y, keep):
        mu, logv = self.net(z).unbind(-1)
        logv = logv.clamp(-4, 3)
        per = 0.5 * (logv + (y - mu) ** 2 * torch.exp(-logv))
        return (per * keep).sum() / keep.sum()


class HeadScheduler:
    """Runs one job per head and hands back the results in order of submission."""

    def __init__(self, workers: int):
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="head")
        self.submitted: list[Future] = []
        self.cursor = 0

    def submit(self, fn, *args):
        self.submitted.append(self.pool.submit(fn, *args))  # <- culprit

    def gather(self):
        ready = [f.result() for f in self.submitted[self.cursor:]]  # <- culprit
        self.cursor = len(self.submitted)
        return ready

    def close(self):
        self.pool.shutdown()
        failed = sum(f.exception() is not None for f in self.submitted)
        return len(self.submitted), failed


class StabilityTrainer:
    def __init__(self, heads: int = 4):
        self.body = Backbone()
        self.heads = nn.ModuleList(Head() for _ in range(heads))
        params = [*self.body.parameters(), *self.heads.parameters()]
        self.opt = torch.optim.NAdam(params, lr=2e-3)
        self.scheduler = HeadScheduler(workers=2)

    def step(self, batch: Mutants):
        z = self.body(batch)
        for head in self.heads:
            keep = (torch.rand(len(batch.ddg)) < 0.8).float()
            self.scheduler.submit(head.nll, z, batch.ddg, keep)
        losses = torch.stack(self.scheduler.gather())
        self.opt.zero_grad()
        losses.mean().backward()
        self.opt.step()
        return losses.detach()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(404)
    trainer = StabilityTrainer()
    ema = None
    for it in range(280):
        losses = trainer.step(sample(64))
        ema = losses if ema is None else torch.lerp(ema, losses, 0.05)
        if it % 56 == 55:
            print(f"{it + 1:4d} nll per head", [round(v, 3) for v in ema.tolist()])
    print("jobs run / failed:", trainer.scheduler.close())


if __name__ == "__main__":
    main()
