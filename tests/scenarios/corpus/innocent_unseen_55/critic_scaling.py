# gradwatch-corpus: kind=none
"""Value regression with a streaming normaliser in front of the head."""
from dataclasses import dataclass, fields, replace

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(41)


@dataclass(frozen=True)
class Stats:
    mean: torch.Tensor
    sq: torch.Tensor
    weight: torch.Tensor

    def __post_init__(self):
        for f in fields(self):
            object.__setattr__(self, f.name, getattr(self, f.name).detach())

    @property
    def centre(self):
        return self.mean / self.weight


class Standardise(nn.Module):
    def __init__(self, width, keep=0.95):
        super().__init__()
        self.keep = keep
        self._stats = Stats(torch.zeros(width), torch.full((width,), 1e-2), torch.full((), 1e-2))
        self.trail = []

    @property
    def stats(self):
        return self._stats

    @stats.setter
    def stats(self, new):
        self.trail.append(new)
        self.trail = self.trail[-5:]
        self._stats = new

    def _mixed(self, h):
        k, s = self.keep, self._stats
        mean = k * s.mean + (1 - k) * h.mean(0)
        sq = k * s.sq + (1 - k) * h.square().mean(0)
        return mean, sq, k * s.weight + (1 - k)

    def forward(self, h):
        if self.training:
            mean, sq, weight = self._mixed(h)
            self.stats = replace(self.stats, mean=mean, sq=sq, weight=weight)
        else:
            mean, sq, weight = self.stats.mean, self.stats.sq, self.stats.weight
        centre = mean / weight
        scale = (sq / weight - centre**2).clamp(min=1e-3).sqrt()
        return (h - centre) / scale

    def drift(self):
        return (self.trail[-1].centre - self.trail[0].centre).norm().item()


class Critic(nn.Module):
    def __init__(self, d=14, width=36):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(d, width), nn.ReLU(), nn.Linear(width, width))
        self.std = Standardise(width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.std(self.inp(x)))).squeeze(-1)


def rollouts(n, d=14, size=80):
    w = torch.randn(d)
    for k in range(n):
        x = torch.randn(size, d) + 0.01 * k
        yield x, torch.sin(x @ w / 3) * 2


def main():
    critic = Critic()
    opt = torch.optim.Adam(critic.parameters(), lr=2e-3)
    held_out = next(rollouts(1))
    for k, (x, ret) in enumerate(rollouts(120)):
        critic.train()
        loss = F.mse_loss(critic(x), ret)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 30 == 29:
            critic.eval()
            with torch.no_grad():
                val = F.mse_loss(critic(held_out[0]), held_out[1]).item()
            print(f"{k + 1:4d} train {loss.item():.3f} other task {val:.3f} drift {critic.std.drift():.4f}")


if __name__ == "__main__":
    main()
