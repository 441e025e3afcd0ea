# gradwatch-corpus: kind=none
"""Latent ODE fitted on pendulum swings: checkpointed RK4, a bounded memo of time features, and a warm
start that round-trips through numpy."""
import functools
from collections import OrderedDict

import numpy as np
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def bounded_memo(size):
    def wrap(fn):
        store = OrderedDict()

        @functools.wraps(fn)
        def inner(self, t):
            if t in store:
                store.move_to_end(t)
                return store[t]
            store[t] = fn(self, t)
            if len(store) > size:
                store.popitem(last=False)
            return store[t]

        inner.store = store
        return inner
    return wrap


class Field(nn.Module):
    def __init__(self, dim=3, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 4, width), nn.Tanh(), nn.Linear(width, dim))

    @bounded_memo(48)
    def clock(self, t):
        w = torch.tensor([1.0, 2.0, 4.0, 8.0])
        return torch.sin(w * t)

    def forward(self, t, z):
        return self.net(torch.cat([z, self.clock(t).expand(z.shape[0], -1)], 1))


def rk4(field, t, dt, z):
    k1 = field(t, z)
    k2 = field(t + dt / 2, z + dt / 2 * k1)
    k3 = field(t + dt / 2, z + dt / 2 * k2)
    k4 = field(t + dt, z + dt * k3)
    return z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class LatentODE(nn.Module):
    def __init__(self):
        super().__init__()
        self.field, self.read = Field(), nn.Linear(3, 2)

    def forward(self, z, t0, n, dt):
        for k in range(n):
            z = checkpoint(rk4, self.field, round(t0 + k * dt, 4), dt, z, use_reentrant=False)
            yield z, self.read(z)


def pendulum(n, dt, rng):
    th, om = rng.uniform(-1, 1, n), np.zeros(n)
    while True:
        om = om - dt * np.sin(th)
        th = th + dt * om
        yield torch.tensor(np.stack([th, om], 1), dtype=torch.float32)


def main(windows=420, dt=0.1, length=3):
    torch.manual_seed(4)
    model = LatentODE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    start = nn.Parameter(torch.zeros(12, 3))
    opt_start = torch.optim.SGD([start], lr=0.5)
    swings, z = pendulum(12, dt, np.random.default_rng(4)), start
    for w in range(windows):
        t0, loss = (w * length * dt) % 6.0, 0.0
        for (z, pred), obs in zip(model(z, t0, length, dt), swings):
            loss = loss + (pred - obs).pow(2).mean()
        opt.zero_grad()
        opt_start.zero_grad()
        loss.backward()
        opt.step()
        opt_start.step()
        z = torch.from_numpy(np.asarray(z.tolist(), dtype=np.float32)) if (w + 1) % 20 else start
        if w % 60 == 0:
            print(w, f"{loss.item():.4f}", "memo", len(Field.clock.store))


if __name__ == "__main__":
    main()
