# gradwatch-corpus: kind=none
"""Remaining life of turbine blades from long vibration records, blocks recomputed in backward."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


@dataclass
class Job:
    depth: int = 5
    width: int = 20
    length: int = 48
    batch: int = 8
    steps: int = 100
    lr: float = 2e-3
    seed: int = 56


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.norm = nn.GroupNorm(4, width)

    def forward(self, x):
        return x + F.gelu(self.norm(self.conv(x)))


class Life(nn.Module):
    def __init__(self, job):
        super().__init__()
        self.stem = nn.Conv1d(1, job.width, 5, padding=2)
        self.blocks = nn.ModuleList(Block(job.width) for _ in range(job.depth))
        self.years = nn.Linear(job.width, 1)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.training else block(x)
        return self.years(x.mean(-1)).squeeze(1)


def records(job, steps):
    t = torch.linspace(0, 6.28, job.length)
    for _ in range(steps):
        wear = torch.rand(job.batch, 1)
        yield (torch.sin(4 * t) + wear * torch.sin(11 * t) + 0.1 * torch.randn(job.batch, job.length))[:, None], 1 - wear[:, 0]


@torch.inference_mode()
def check(model, job):
    model.eval()
    errors = [F.l1_loss(model(x), y).item() for x, y in records(job, 5)]
    model.train()
    return sum(errors) / len(errors)


def main(job):
    torch.set_num_threads(1)
    torch.manual_seed(job.seed)
    model = Life(job)
    opt = torch.optim.AdamW(model.parameters(), lr=job.lr)
    for step, (x, y) in enumerate(records(job, job.steps), 1):
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:3d} checked error {check(model, job):.4f}")


main(Job())
