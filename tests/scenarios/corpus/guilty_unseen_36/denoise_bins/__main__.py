# gradwatch-corpus: kind=graph-held
# holder: self.bins | meter.bins | trainer.meter.bins | self.meter.bins
# first-bad: 1
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch
from torch import nn

from meters import NoiseLevelMeter
from schedule import CosineSchedule

torch.set_num_threads(1)


class Denoiser(nn.Module):
    def __init__(self, dim, width=32):
        super().__init__()
        self.time = nn.Embedding(100, width)
        self.inp = nn.Linear(dim, width)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x, t):
        return self.out(self.inp(x) + self.time(t))


class Trainer:
    def __init__(self, dim=2, lr=2e-3):
        self.net = Denoiser(dim)
        self.schedule = CosineSchedule(100)
        self.meter = NoiseLevelMeter(n_bins=5, t_max=100)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)

    def step(self, x0):
        t = torch.randint(0, 100, (len(x0),))
        eps = torch.randn_like(x0)
        pred = self.net(self.schedule.noisy(x0, eps, t), t)
        per_sample = (pred - eps).square().mean(1)
        loss = per_sample.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.meter.record(t, per_sample)  # <- culprit
        return float(loss)


def two_moons(n):
    a = torch.rand(n) * torch.pi
    flip = torch.rand(n) < 0.5
    xy = torch.stack([torch.cos(a), torch.sin(a)], 1)
    xy[flip] = torch.tensor([1.0, 0.5]) - xy[flip]
    return xy + 0.05 * torch.randn(n, 2)


def main():
    torch.manual_seed(8)
    trainer = Trainer()
    for i in range(150):
        loss = trainer.step(two_moons(96))
        if i % 50 == 0:
            print(f"it {i} loss {loss:.4f}")
    for name, value in trainer.meter.summary().items():
        print(f"  {name}: {value:.4f}")


if __name__ == "__main__":
    main()
