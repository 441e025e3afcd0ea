# gradwatch-corpus: kind=inplace-modified
# holder: self.scale | norm.scale
# first-bad: 10
"""Drift identification of a 3D Ornstein-Uhlenbeck-type SDE from increments."""
import collections

import torch

Batch = collections.namedtuple("Batch", "x dx dt")
torch.manual_seed(60)


class RunningScale:
    """Tracks first and second moments; starts to matter after `warmup` calls."""

    def __init__(self, dim, warmup, rate=0.05):
        self.mean = torch.zeros(dim)
        self.scale = torch.ones(dim)
        self.warmup = warmup
        self.rate = rate
        self.calls = 0

    def apply(self, x):
        return (x - self.mean) / self.scale

    def undo(self, z):
        return z * self.scale  # <- culprit

    def observe(self, x):
        self.calls += 1
        if self.calls <= self.warmup:
            return
        self.mean.lerp_(x.mean(0), self.rate)
        self.scale.lerp_(x.std(0) + 1e-3, self.rate)  # <- culprit


def true_drift(x):
    a, b, c = x.unbind(-1)
    return torch.stack([-a + 0.5 * torch.sin(2.0 * b), -0.5 * b * (1.0 + c ** 2), 0.3 * a - c], -1)


def simulate(n_batches, batch, dt=0.01, sigma=0.3):
    x = 1.5 * torch.randn(batch, 3)
    for _ in range(n_batches):
        xs = []
        dxs = []
        for _ in range(4):
            dx = true_drift(x) * dt + sigma * dt ** 0.5 * torch.randn_like(x)
            xs.append(x)
            dxs.append(dx)
            x = x + dx
        yield Batch(torch.cat(xs), torch.cat(dxs), dt)
        x = torch.where(torch.rand(batch, 1) < 0.1, 1.5 * torch.randn(batch, 3), x)


def features(z):
    return torch.cat([z, torch.sin(z), torch.cos(z), z ** 2, z.roll(1, -1) * z], dim=-1)


def drift(w, norm, x):
    w1, b1, w2 = w
    h = torch.tanh(features(norm.apply(x)) @ w1 + b1)
    return norm.undo(h @ w2)


def girsanov(f, batch, sigma=0.3):
    quad = 0.5 * (f ** 2).sum(-1) * batch.dt
    lin = (f * batch.dx).sum(-1)
    return ((quad - lin) / sigma ** 2).mean()


w = [
    (torch.randn(15, 32) / 15 ** 0.5).requires_grad_(),
    torch.zeros(32, requires_grad=True),
    (0.1 * torch.randn(32, 3)).requires_grad_(),
]
norm = RunningScale(3, warmup=10)
opt = torch.optim.Adagrad(w, lr=0.05)
level = 0.0

for k, batch in enumerate(simulate(150, 64)):
    f = drift(w, norm, batch.x)
    loss = girsanov(f, batch)
    norm.observe(batch.x)  # <- culprit
    opt.zero_grad()
    loss.backward()
    opt.step()
    level += 0.05 * (loss.item() - level)
    if k % 5 == 0:
        err = (f.detach() - true_drift(batch.x)).pow(2).mean().sqrt()
        print(f"{k:3d}  neg-loglik {level:+.4f}  drift rmse {err:.3f}")
