# gradwatch-corpus: kind=none
"""Hand-written neural ODE for the Lorenz system. The unroll length follows a curriculum from one to ten Heun steps and
stays there; a multiple-shooting variable per segment is refined along with the weights."""
import itertools
import math

import torch
from torch import nn

DT, LONGEST, SEGMENTS = 0.02, 10, 40


def lorenz(x):
    a, b, c = x.unbind(-1)
    return torch.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], -1)


def simulate(n, dt, sub=4, seed=0):
    gen = torch.Generator().manual_seed(seed)
    x = torch.tensor([1.0, 1.0, 25.0]) + 0.1 * torch.randn(3, generator=gen)
    out = []
    for k in range((n + 200) * sub):
        h = dt / sub
        k1 = lorenz(x)
        k2 = lorenz(x + h * k1)
        x = x + h / 2 * (k1 + k2)
        if k % sub == sub - 1 and k >= 200 * sub:
            out.append(x)
    path = torch.stack(out)
    return (path - path.mean(0)) / path.std(0)


def make_field(width=40):
    return nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 3))


def heun(f, x, n, dt):
    """Generator of the n states that follow x."""
    for _ in range(n):
        k1 = f(x)
        k2 = f(x + dt * k1)
        x = x + dt / 2 * (k1 + k2)
        yield x


class Shooting(nn.Module):
    """Noisy record cut in segments, each with its own free start point."""

    def __init__(self, record):
        super().__init__()
        self.register_buffer("segments", record[: SEGMENTS * (LONGEST + 1)].view(SEGMENTS, LONGEST + 1, 3))
        self.start = nn.Parameter(self.segments[:, 0].clone())

    def loss(self, f, horizon):
        path = torch.stack([self.start, *heun(f, self.start, horizon, DT * 5)], 1)
        return (path - self.segments[:, : horizon + 1]).pow(2).mean(), path


def horizons(total, longest):
    """1, 1, ..., longest, longest, ..."""
    for step in range(total):
        yield min(longest, 1 + step * longest // (total // 2))


def save_best(module):
    best = math.inf
    weights = None

    def consider(value):
        nonlocal best, weights
        if value < best:
            best = value
            weights = {k: v.detach().clone() for k, v in module.state_dict().items()}
        return best

    def restore():
        module.load_state_dict(weights)

    return consider, restore


def train(steps=280):
    torch.manual_seed(5)
    record = simulate(SEGMENTS * (LONGEST + 1), DT)
    noisy = record + 0.02 * torch.randn(record.shape)
    f, shooting = make_field(), Shooting(noisy)
    optimizer = torch.optim.Adam([
        {"params": f.parameters(), "lr": 4e-3},
        {"params": shooting.parameters(), "lr": 5e-4},
    ])
    consider, restore = save_best(f)
    previous_end = None
    drift = 0.0
    for step, horizon in zip(itertools.count(1), horizons(steps, LONGEST)):
        optimizer.zero_grad()
        loss, path = shooting.loss(f, horizon)
        loss.backward()
        nn.utils.clip_grad_value_(f.parameters(), 0.5)
        optimizer.step()
        end = path.detach()[:, -1]
        if previous_end is not None:
            drift = 0.9 * drift + 0.1 * (end - previous_end).abs().mean().item()
        previous_end = end
        if horizon == LONGEST:
            consider(loss.item())
        if step % 70 == 0:
            print(f"step {step:4d} horizon {horizon:2d} loss {loss.item():.5f} drift {drift:.4f}")
    restore()
    with torch.no_grad():
        final, _ = shooting.loss(f, LONGEST)
    print(f"restored: {final.item():.5f}")


if __name__ == "__main__":
    train()
