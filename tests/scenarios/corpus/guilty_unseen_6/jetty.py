# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.diary.rows | fit.diary.rows | diary.rows
# first-bad: 1
"""Harmonic analysis of a tide gauge with uncertain amplitudes: mean-field Gaussian posterior, one-sample ELBO.
Stops when the bound has levelled off."""
import math
from collections import namedtuple
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Normal, StudentT, kl_divergence

torch.manual_seed(33)
HARMONICS = {"M2": 12.4206, "S2": 12.0, "N2": 12.6583, "K1": 23.9345, "O1": 25.8193, "M4": 6.2103}
Row = namedtuple("Row", "bound fit_term complexity noise")


@dataclass
class Settings:
    hours: int = 24 * 40
    batch: int = 192
    limit: int = 420
    lr: float = 2e-2
    window: int = 60
    tolerance: float = 2e-4


@dataclass
class Diary:
    rows: list = field(default_factory=list)

    def note(self, row):
        self.rows.append(row)  # <- culprit

    def level(self, start, stop):
        return torch.stack([r.bound for r in self.rows[start:stop]]).mean().item()

    def settled(self, window, tolerance):
        if len(self.rows) < 2 * window or len(self.rows) % 10:
            return False
        late, early = self.level(-window, None), self.level(-2 * window, -window)
        return abs(late - early) < tolerance * abs(early)


class Posterior(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(n))
        self.raw = nn.Parameter(torch.full((n,), -2.0))
        self.log_noise = nn.Parameter(torch.tensor(-0.5))

    @property
    def q(self):
        return Normal(self.loc, nn.functional.softplus(self.raw))


def basis(t):
    cols = [torch.ones_like(t)]
    for period in HARMONICS.values():
        w = 2 * math.pi / period
        cols += [torch.cos(w * t), torch.sin(w * t)]
    return torch.stack(cols, -1)


class Fit:
    def __init__(self, s):
        self.s, self.diary = s, Diary()
        t = torch.arange(s.hours).float()
        self.B = basis(t)
        truth = torch.randn(self.B.shape[1]) * 0.8
        self.level = self.B @ truth + 0.15 * StudentT(4.0).sample((s.hours,))
        self.post = Posterior(self.B.shape[1])
        self.prior = Normal(0.0, 1.0)
        self.opt = torch.optim.Adam(self.post.parameters(), lr=s.lr)

    def bound(self, pick):
        q = self.post.q
        amplitudes = q.rsample()
        noise = self.post.log_noise.exp()
        like = StudentT(4.0, self.B[pick] @ amplitudes, noise).log_prob(self.level[pick]).mean()
        cost = kl_divergence(q, self.prior).sum() / self.s.hours
        return Row(like - cost, like, cost, noise.item())

    def run(self):
        for i in range(self.s.limit):
            row = self.bound(torch.randint(self.s.hours, (self.s.batch,)))
            self.opt.zero_grad()
            (-row.bound).backward()
            self.opt.step()
            self.diary.note(row)  # <- culprit
            if i % 70 == 0:
                print(f"{i:4d} bound {row.bound:.4f} complexity {row.complexity:.4f} noise {row.noise:.3f}")
            if self.diary.settled(self.s.window, self.s.tolerance):
                print("settled at", i)
                break
        return self.post


if __name__ == "__main__":
    fit = Fit(Settings())
    post = fit.run()
    for k, name in enumerate(HARMONICS):
        c, s = post.loc[1 + 2 * k].item(), post.loc[2 + 2 * k].item()
        print(f"{name}: amplitude {math.hypot(c, s):.3f} m")
