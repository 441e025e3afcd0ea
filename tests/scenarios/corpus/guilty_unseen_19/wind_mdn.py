# gradwatch-corpus: kind=graph-held
# holder: self.rejected | self.rejected[i] | fitter.rejected | self.rejected[-1].__traceback__ | self.rejected[-1].reason | fitter.rejected[-1].reason
# first-bad: 5
# notice: 70
"""Mixture density network for turbine power given wind speed and direction. Icing makes some batches
of the SCADA export unusable; such batches are set aside and reported at the end."""
import math
import random
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal

Rejection = namedtuple("Rejection", "batch reason")


class ImplausibleBatch(ValueError):
    def __init__(self, nll: float, limit: float):
        super().__init__(f"nll {nll:.2f} above {limit:.2f}")
        self.nll = nll


class PowerMDN(nn.Module):
    def __init__(self, k=4, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.pi = nn.Linear(width, k)
        self.mu = nn.Linear(width, k)
        self.log_sd = nn.Linear(width, k)

    def forward(self, x):
        h = self.body(x)
        comp = Normal(self.mu(h), self.log_sd(h).clamp(-3, 2).exp())
        return MixtureSameFamily(Categorical(logits=self.pi(h)), comp)


class Scada:
    """Endless ten-minute averages, one batch is roughly one day of four turbines."""

    def __init__(self, seed, icing=0.15):
        self.rng = random.Random(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.icing = icing

    def __iter__(self):
        while True:
            v = 3 + 11 * torch.rand(144, generator=self.gen)
            d = 2 * math.pi * torch.rand(144, generator=self.gen)
            wake = 1 - 0.25 * (torch.cos(d - 1.0) > 0.9).float()
            p = wake / (1 + torch.exp(-(v - 8.5)))
            p = p + 0.04 * torch.randn(144, generator=self.gen)
            if self.rng.random() < self.icing:
                p = p - 14.0
            yield torch.stack([v / 10 - 0.8, d.sin(), d.cos()], 1), p


class Fitter:
    def __init__(self, model, lr=4e-3, limit=9.0):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.limit = limit
        self.rejected = []
        self.running = None

    def _guard(self, nll):
        value = nll.item()
        if not math.isfinite(value) or value > self.limit:
            raise ImplausibleBatch(value, self.limit)
        return value

    def _update(self, x, p):
        nll = -self.model(x).log_prob(p).mean()
        value = self._guard(nll)
        self.opt.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        return value

    def fit(self, stream, n):
        for i, (x, p) in zip(range(n), stream):
            try:
                value = self._update(x, p)
            except ImplausibleBatch as err:
                self.rejected.append(Rejection(i, err))  # <- culprit
                continue
            self.running = value if self.running is None else 0.95 * self.running + 0.05 * value
            if i % 100 == 0:
                print(f"[{i:4d}] nll {self.running:.3f}")

    def report(self):
        print(f"{len(self.rejected)} batches set aside")
        for r in self.rejected[:3]:
            print(f"   #{r.batch}: {r.reason}")


if __name__ == "__main__":
    torch.manual_seed(3)
    fitter = Fitter(PowerMDN())
    fitter.fit(iter(Scada(seed=3)), 500)
    fitter.report()
