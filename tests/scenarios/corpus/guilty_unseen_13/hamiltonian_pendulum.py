# gradwatch-corpus: kind=graph-held
# holder: self.rejected | trainer.rejected | err | err.__traceback__ | self.rejected[-1].__traceback__
# first-bad: 2
# notice: 8
"""Hamiltonian neural network for a pendulum, trained on leapfrog rollouts. Rollouts whose
energy drifts are given up, and the one-step loss is taken in their place."""
import math

import torch
from torch import nn


class EnergyDrift(RuntimeError):
    def __init__(self, at, drift):
        super().__init__(f"relative drift {drift:.3f} at substep {at}")
        self.at, self.drift = at, drift


def true_energy(q, p):
    return 0.5 * p.square() + 1.0 - torch.cos(q)


def true_step(q, p, dt):
    p = p - 0.5 * dt * torch.sin(q)
    q = q + dt * p
    return q, p - 0.5 * dt * torch.sin(q)


class Hamiltonian(nn.Module):
    """Separable: H(q, p) = V(q) + T(p)."""

    def __init__(self, width=32):
        super().__init__()
        self.v = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        self.t = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))

    def potential(self, q):
        return self.v(torch.cat([torch.sin(q), torch.cos(q)], 1))

    def force(self, q):
        return -torch.autograd.grad(self.potential(q).sum(), q, create_graph=True)[0]

    def velocity(self, p):
        return torch.autograd.grad(self.t(p).sum(), p, create_graph=True)[0]


class Leapfrog:
    def __init__(self, model, dt, tolerance):
        self.model, self.dt, self.tolerance = model, dt, tolerance

    def step(self, q, p):
        p = p + 0.5 * self.dt * self.model.force(q)
        q = q + self.dt * self.model.velocity(p)
        return q, p + 0.5 * self.dt * self.model.force(q)

    def rollout(self, q, p, n):
        e0 = true_energy(q, p).mean().item()
        path = []
        for k in range(n):
            q, p = self.step(q, p)
            path.append(torch.cat([q, p], 1))
            drift = abs(true_energy(q, p).mean().item() - e0) / e0
            if drift > self.tolerance:
                raise EnergyDrift(k, drift)
        return torch.stack(path)


class PendulumData:
    def __init__(self, seed, dt):
        self.g = torch.Generator().manual_seed(seed)
        self.dt = dt

    def batch(self, n, horizon):
        energy_scale = 0.3 + 1.4 * torch.rand((), generator=self.g)
        angle = 2 * math.pi * torch.rand(n, 1, generator=self.g)
        q, p = energy_scale * torch.cos(angle), energy_scale * torch.sin(angle)
        path, a, b = [], q, p
        for _ in range(horizon):
            a, b = true_step(a, b, self.dt)
            path.append(torch.cat([a, b], 1))
        return q.requires_grad_(), p.requires_grad_(), torch.stack(path)


class Trainer:
    def __init__(self, dt=0.25, horizon=4, tolerance=0.02):
        self.model = Hamiltonian()
        self.integrator = Leapfrog(self.model, dt, tolerance)
        self.data = PendulumData(2, dt)
        self.horizon = horizon
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.rejected = []
        self.seen = 0

    def loss_on(self, q, p, target):
        try:
            path = self.integrator.rollout(q, p, self.horizon)
        except EnergyDrift as err:
            self.rejected.append(err)  # <- culprit
        else:
            return (path - target).square().mean()
        q1, p1 = self.integrator.step(q, p)
        return (torch.cat([q1, p1], 1) - target[0]).square().mean()

    def train_step(self):
        loss = self.loss_on(*self.data.batch(32, self.horizon))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.seen += 1
        return loss.item()

    def report(self, loss):
        worst = max((e.drift for e in self.rejected), default=0.0)
        early = sum(e.at == 0 for e in self.rejected)
        print(f"step {self.seen}: loss {loss:.2e}, rejected {len(self.rejected)} "
              f"({early} in the first substep), worst drift {worst:.2f}")


def main(steps=300):
    torch.manual_seed(2)
    trainer = Trainer()
    for _ in range(steps):
        loss = trainer.train_step()
        if trainer.seen % 60 == 0:
            trainer.report(loss)


if __name__ == "__main__":
    main()
