# gradwatch-corpus: kind=graph-held
# holder: self.records | pool.records | sampler.pool.records | record.energy | rec.energy | self.pool.records | ChainRecord.energy
# first-bad: 1
"""Persistent contrastive divergence for a 2-D energy model; sampler and pool are classes, for the comparison of chains in sec. 4."""
import math
import random
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ChainRecord:
    x: torch.Tensor
    energy: torch.Tensor
    age: int = 0


class Energy(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class Sampler:
    def __init__(self, energy, steps, step_size):
        self.energy, self.steps, self.step_size = energy, steps, step_size

    def start(self, n):
        return torch.rand(n, 2) * 6 - 3

    def sample(self, n):
        x = self.start(n).detach()
        for _ in range(self.steps):
            x.requires_grad_(True)
            (g,) = torch.autograd.grad(self.energy(x).sum(), x)
            noise = math.sqrt(2 * self.step_size) * torch.randn_like(x)
            x = (x - self.step_size * g.clamp(-5, 5) + noise).detach()
        return x

    def done(self, x, energy):
        pass


class Pool:
    """Ends of chains with what is known of them; the oldest go first once it is full."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.records = []

    def draw(self, n):
        picks = random.choices(self.records, k=n)
        for rec in picks:
            rec.age += 1
        return torch.stack([rec.x for rec in picks])

    def put(self, xs, energies):
        for x, e in zip(xs, energies):
            self.records.append(ChainRecord(x, e))  # <- culprit
        overflow = len(self.records) - self.capacity
        if overflow > 0:
            del self.records[:overflow]

    def quantiles(self, qs=(0.1, 0.5, 0.9)):
        e = sorted(rec.energy.item() for rec in self.records)
        return [e[int(q * (len(e) - 1))] for q in qs]


class PersistentSampler(Sampler):
    def __init__(self, *args, capacity=10_000, restart=0.1, **kw):
        super().__init__(*args, **kw)
        self.pool = Pool(capacity)
        self.restart = restart

    def start(self, n):
        fresh = super().start(n)
        if not self.pool.records:
            return fresh
        old = self.pool.draw(n)
        return torch.where(torch.rand(n, 1) < self.restart, fresh, old)

    def done(self, x, energy):
        self.pool.put(x, energy)  # <- culprit


def mixture(n):
    angle = torch.randint(0, 6, (n,)) * (math.pi / 3)
    return 1.8 * torch.stack([angle.cos(), angle.sin()], 1) + 0.15 * torch.randn(n, 2)


class PCD:
    def __init__(self, model, sampler, lr=1e-3, l2=0.05):
        self.model, self.sampler, self.l2 = model, sampler, l2
        self.opt = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.0, 0.99))

    def step(self, data):
        neg = self.sampler.sample(len(data))
        e_pos, e_neg = self.model(data), self.model(neg)
        cd = e_pos.mean() - e_neg.mean()
        loss = cd + self.l2 * (e_pos.pow(2).mean() + e_neg.pow(2).mean())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.done(neg, e_neg)  # <- culprit
        return cd.item()


def main(iterations=260, batch=32):
    random.seed(0)
    torch.manual_seed(0)
    model = Energy()
    sampler = PersistentSampler(model, steps=8, step_size=0.02)
    pcd = PCD(model, sampler)
    for it in range(iterations):
        gap = pcd.step(mixture(batch))
        if it % 65 == 64:
            lo, mid, hi = sampler.pool.quantiles()
            print(f"it {it + 1}: gap {gap:+.3f}, energies of the pool {lo:.2f} / {mid:.2f} / {hi:.2f}")


if __name__ == "__main__":
    main()
