# gradwatch-corpus: kind=inplace-modified
# first-bad: 6
# after: WOW5678/CompNet issue 2 "... which is output 0 of AsStridedBackward0, is at version 1" (slice assignment); here a preallocated rollout buffer
"""Emulator of sea surface temperature: residual conv net, first one-step training on data, then rollouts."""
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass(frozen=True)
class Plan:
    grid: int = 16
    horizon: int = 4
    teacher_forced: int = 6        # optimizer steps with data as input
    steps: int = 100
    batch: int = 8
    lr: float = 1e-3


class Simulated(Dataset):
    def __init__(self, plan, n=256):
        g = torch.Generator().manual_seed(0)
        x = torch.randn(n, 1, plan.grid, plan.grid, generator=g)
        k = torch.full((1, 1, 3, 3), 1 / 9)
        seq = [x]
        for _ in range(plan.horizon):
            x = F.conv2d(F.pad(x, (1, 1, 1, 1), mode="circular"), k).roll(1, -1)
            seq.append(x)
        self.seq = torch.stack(seq, 1)

    def __len__(self):
        return len(self.seq)

    def __getitem__(self, i):
        return self.seq[i]


class Emulator(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.a = nn.Conv2d(1, width, 3, padding=1)
        self.b = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x):
        return self.b(F.gelu(self.a(x)))


class Curriculum:
    def __init__(self, plan):
        self.plan, self.count = plan, 0

    @contextmanager
    def step(self):
        yield self.count < self.plan.teacher_forced
        self.count += 1


def rollout(model, seq, forced):
    """All states in one tensor, so that the spectral loss can be taken over time and space."""
    states = torch.empty_like(seq)
    states[:, 0] = seq[:, 0]
    for t in range(seq.shape[1] - 1):
        x = seq[:, t] if forced else states[:, t]
        states[:, t + 1] = x + model(x)  # <- culprit
    return states


def spectral_loss(pred, true):
    return (torch.fft.rfft2(pred) - torch.fft.rfft2(true)).abs().pow(2).mean() / pred.shape[-1] ** 2


def loop(loader):
    while True:
        yield from loader


def main(plan=Plan()):
    torch.manual_seed(0)
    model = Emulator()
    opt = torch.optim.AdamW(model.parameters(), lr=plan.lr)
    curriculum = Curriculum(plan)
    for k, seq in zip(range(plan.steps), loop(DataLoader(Simulated(plan), plan.batch, shuffle=True))):
        with curriculum.step() as forced:
            pred = rollout(model, seq, forced)
            loss = F.mse_loss(pred[:, 1:], seq[:, 1:]) + 0.1 * spectral_loss(pred[:, 1:], seq[:, 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(k, "forced" if forced else "free", f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
