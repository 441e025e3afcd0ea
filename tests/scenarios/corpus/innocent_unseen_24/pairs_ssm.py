# gradwatch-corpus: kind=none
"""Local-level-plus-slope state-space model, fitted online by truncated likelihood."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn
from torch.nn import functional as F


class Posterior:
    __slots__ = ("_m", "_P", "t")

    def __init__(self, n):
        self._m = torch.zeros(n, 2)
        self._P = torch.eye(2).expand(n, 2, 2)
        self.t = 0

    @property
    def moments(self):
        return self._m, self._P

    @moments.setter
    def moments(self, mp):
        self._m, self._P = (x.detach() for x in mp)


@dataclass(frozen=True)
class Fit:
    t: int
    nll: float
    level: torch.Tensor
    log: ClassVar[deque[Fit]] = deque(maxlen=400)

    def __post_init__(self):
        type(self).log.append(self)

    @classmethod
    def path(cls, k=50):
        return torch.stack([f.level for f in list(cls.log)[-k:]])


class LocalTrend(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw_damp = nn.Parameter(torch.full((n,), 2.0))
        self.raw_q = nn.Parameter(torch.full((n, 2), -2.0))
        self.raw_r = nn.Parameter(torch.zeros(n))
        self.register_buffer("surprise", torch.ones(n))

    def matrices(self):
        damp = torch.sigmoid(self.raw_damp)
        one, zero = torch.ones_like(damp), torch.zeros_like(damp)
        A = torch.stack([torch.stack([one, one], -1), torch.stack([zero, damp], -1)], -2)
        return A, torch.diag_embed(F.softplus(self.raw_q)), F.softplus(self.raw_r) + 1e-3

    def forward(self, ys, post):
        A, Q, R = self.matrices()
        m, P = post.moments
        terms, zs = [], []
        for y in ys:
            m = (A @ m.unsqueeze(-1)).squeeze(-1)
            P = A @ P @ A.transpose(-1, -2) + Q
            S = P[:, 0, 0] + R
            K = P[:, :, 0] / S.unsqueeze(-1)
            e = y - m[:, 0]
            terms.append(0.5 * (S.log() + e.square() / S))
            zs.append(e.square() / S)
            m = m + K * e.unsqueeze(-1)
            P = P - K.unsqueeze(-1) * P[:, :1, :]
        post.moments = m, P
        post.t += len(ys)
        with torch.no_grad():
            self.surprise.lerp_(torch.stack(zs).mean(0), 0.1)
        return torch.stack(terms).mean(0), m[:, 0]


def prices(n, steps, seed=1):
    g = torch.Generator().manual_seed(seed)
    slope, level = torch.zeros(n), torch.zeros(n)
    for _ in range(steps):
        slope = 0.9 * slope + 0.05 * torch.randn(n, generator=g)
        level = level + slope + 0.1 * torch.randn(n, generator=g)
        yield level + 0.3 * torch.randn(n, generator=g)


def chunks(stream, size):
    buf = []
    for y in stream:
        buf.append(y)
        if len(buf) == size:
            yield torch.stack(buf)
            buf = []


def main():
    torch.manual_seed(1)
    n = 32
    model, post = LocalTrend(n), Posterior(n)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for i, ys in enumerate(chunks(prices(n, 8 * 180), 8)):
        nll, level = model(ys, post)
        weight = 1.0 / model.surprise.clamp(0.5, 4.0)
        loss = (weight * nll).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        fit = Fit(post.t, loss.item(), level.detach().clone())
        if i % 30 == 0:
            print(f"t {fit.t:5d} nll {fit.nll:.4f} path var {Fit.path().var().item():.3f} "
                  f"surprise {model.surprise.mean().item():.2f}")


if __name__ == "__main__":
    main()
