# gradwatch-corpus: kind=graph-held
# holder: self.records | solver.records | node.solver.records | model.solver.records | self.solver.records
# first-bad: 1
# notice: 8
"""Neural ODE classifier on two spirals, error-regularised (Pal et al. style), adaptive Heun-Euler."""
import math
from typing import List, NamedTuple

import torch
from torch import nn, Tensor

torch.set_num_threads(1)


class StepRecord(NamedTuple):
    t: float
    dt: float
    err: Tensor
    accepted: bool


class AdaptiveHeun:
    """Embedded Heun(2)/Euler(1) pair. Keeps a record of every attempted step for the diagnostics page."""

    def __init__(self, rtol=5e-2, atol=5e-2, dt0=0.25, max_steps=40):
        self.rtol, self.atol, self.dt0, self.max_steps = rtol, atol, dt0, max_steps
        self.records: List[StepRecord] = []
        self.nfe = 0

    def _attempt(self, f, t, x, dt):
        k1 = f(t, x)
        k2 = f(t + dt, x + dt * k1)
        self.nfe += 2
        high = x + 0.5 * dt * (k1 + k2)
        err = 0.5 * dt * (k2 - k1)
        scale = self.atol + self.rtol * x.detach().abs()
        return high, (err / scale).pow(2).mean().sqrt()

    def integrate(self, f, x, t0=0.0, t1=1.0):
        t, dt = t0, self.dt0
        penalty = x.new_zeros(())
        for _ in range(self.max_steps):
            if t >= t1 - 1e-6:
                break
            dt = min(dt, t1 - t)
            with torch.no_grad():
                _, trial = self._attempt(f, t, x, dt)
            if trial > 1.0 and dt > 0.02:
                self.records.append(StepRecord(t, dt, trial, False))
                dt *= 0.5
                continue
            x, err = self._attempt(f, t, x, dt)
            penalty = penalty + err * dt
            self.records.append(StepRecord(t, dt, err, True))  # <- culprit
            t += dt
            dt *= min(2.0, max(0.5, 0.9 / math.sqrt(err.item() + 1e-6)))
        return x, penalty

    def summary(self, last=200):
        recent = self.records[-last:]
        accepted = [r for r in recent if r.accepted]
        mean_err = sum(r.err.item() for r in accepted) / max(1, len(accepted))
        return {"accept": len(accepted) / max(1, len(recent)), "err": mean_err, "nfe": self.nfe}


class Field(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, dim))

    def forward(self, t, x):
        return self.net(torch.cat([x, x.new_full((x.shape[0], 1), t)], dim=1))


class NeuralODE(nn.Module):
    def __init__(self, solver, dim=4, width=48):
        super().__init__()
        self.augment = dim - 2
        self.field = Field(dim, width)
        self.readout = nn.Linear(dim, 1)
        self.solver = solver

    def forward(self, x):
        x = torch.cat([x, x.new_zeros(x.shape[0], self.augment)], dim=1)
        x, penalty = self.solver.integrate(self.field, x)
        return self.readout(x).squeeze(1), penalty


def spirals(n, noise=0.08):
    theta = torch.rand(n).sqrt() * 2.2 * math.pi
    side = torch.randint(0, 2, (n,))
    r = theta / math.pi
    phi = theta + math.pi * side
    xy = torch.stack([r * phi.cos(), r * phi.sin()], dim=1)
    return xy + noise * torch.randn_like(xy), side.float()


def main(steps=150, reg=0.02):
    torch.manual_seed(11)
    solver = AdaptiveHeun()
    model = NeuralODE(solver)
    optim = torch.optim.Adam(model.parameters(), lr=1e-2)
    bce = nn.BCEWithLogitsLoss()
    for it in range(steps):
        x, y = spirals(256)
        logit, penalty = model(x)
        loss = bce(logit, y) + reg * penalty
        optim.zero_grad(set_to_none=True)
        loss.backward()
        optim.step()
        if it % 25 == 0:
            s = solver.summary()
            print(f"it {it:3d} loss {loss.item():.4f} accept {s['accept']:.2f} err {s['err']:.3f} nfe {s['nfe']}")


if __name__ == "__main__":
    main()
