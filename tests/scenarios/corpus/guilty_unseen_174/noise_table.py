# gradwatch-corpus: kind=memory-climb
# holder: self._tables | embedder._tables | model.embed._tables | self.embed._tables | cache
# first-bad: 1
"""Tiny continuous-time diffusion on 2-D point sets with cached Fourier time features."""
import argparse
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class DiffusionConfig:
    points: int = 2
    time_dim: int = 64
    hidden: int = 64
    batch: int = 96
    steps: int = 450
    lr: float = 1e-3


class Memoised:
    """Looks a table up before it is built; tables depend only on their key."""

    def __init__(self):
        self._tables = {}

    def key(self, *args):
        raise NotImplementedError

    def build(self, *args):
        raise NotImplementedError

    def lookup(self, *args):
        key = self.key(*args)
        if key not in self._tables:
            self._tables[key] = self.build(*args)  # <- culprit
        return self._tables[key]


class FourierTime(Memoised):
    def __init__(self, dim):
        super().__init__()
        self.freqs = torch.exp(torch.linspace(0, math.log(100.0), dim // 2))

    def key(self, t):
        return tuple(t.tolist())

    def build(self, t):
        angle = t[:, None] * self.freqs
        return torch.cat([angle.sin(), angle.cos()], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = FourierTime(cfg.time_dim)
        self.inp = nn.Linear(cfg.points, cfg.hidden)
        self.time = nn.Linear(cfg.time_dim, cfg.hidden)
        self.out = nn.Sequential(
            nn.SiLU(), nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, cfg.points)
        )

    def forward(self, x, t):
        return self.out(self.inp(x) + self.time(self.embed.lookup(t)))


class Moons:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def draw(self, n):
        a = math.pi * torch.rand(n, generator=self.g)
        side = torch.randint(2, (n,), generator=self.g).float()
        x = torch.stack([a.cos() * (1 - 2 * side) + side, a.sin() * (1 - 2 * side) + 0.5 * side], -1)
        return x + 0.05 * torch.randn(n, 2, generator=self.g)


class CosineSchedule:
    def __call__(self, t):
        return torch.cos(0.5 * math.pi * t)[:, None], torch.sin(0.5 * math.pi * t)[:, None]


class DiffusionTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Denoiser(cfg)
        self.schedule = CosineSchedule()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.avg = 1.0

    def step(self, x):
        t = torch.rand(len(x))
        signal, sigma = self.schedule(t)
        eps = torch.randn_like(x)
        loss = (self.model(signal * x + sigma * eps, t) - eps).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.avg = 0.98 * self.avg + 0.02 * loss.item()

    def fit(self, data):
        for i in range(self.cfg.steps):
            self.step(data.draw(self.cfg.batch))
            if i % 75 == 0:
                print(f"{i:4d} eps-mse {self.avg:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=450)
    cfg = DiffusionConfig(steps=parser.parse_args().steps)
    torch.manual_seed(55)
    DiffusionTrainer(cfg).fit(Moons(seed=55))


if __name__ == "__main__":
    main()
