# gradwatch-corpus: kind=second-backward
# holder: parametrize._cache | self.model.inertia.weight | self.model.damping.weight | self.inertia.weight | model.inertia.weight | self.damping.weight | model.damping.weight
# first-bad: 1
# notice: 0
"""Inverse dynamics of a 4-joint arm: torque = M(q) qdd + D qd + g(q), with the mean
inertia and the damping kept positive definite by parametrization."""
import contextlib
import time

import torch
import torch.nn.utils.parametrize as parametrize
from torch import nn


class SPD(nn.Module):
    """Any square matrix -> symmetric positive definite."""

    def __init__(self, n, floor=1e-2):
        super().__init__()
        self.register_buffer("eye", floor * torch.eye(n))

    def forward(self, raw):
        low = raw.tril()
        return low @ low.t() + self.eye


class ArmDynamics(nn.Module):
    def __init__(self, joints=4, hidden=24):
        super().__init__()
        self.inertia = nn.Linear(joints, joints, bias=False)
        self.damping = nn.Linear(joints, joints, bias=False)
        for part in (self.inertia, self.damping):
            parametrize.register_parametrization(part, "weight", SPD(joints))
        self.gravity = nn.Sequential(nn.Linear(2 * joints, hidden), nn.Tanh(), nn.Linear(hidden, joints))

    def forward(self, q, qd, qdd):
        g = self.gravity(torch.cat([q.sin(), q.cos()], dim=-1))
        return self.inertia(qdd) + self.damping(qd) + g

    def power_loss(self, qd):
        return (qd * self.damping(qd)).sum(-1).mean()


def trajectories(n, gen, joints=4):
    q, qd, qdd = torch.randn(3, n, joints, generator=gen).unbind(0)
    m = torch.diag(torch.tensor([2.0, 1.5, 0.8, 0.3])) + 0.1
    d = torch.diag(torch.tensor([0.5, 0.4, 0.2, 0.1]))
    tau = qdd @ m + qd @ d + 1.2 * torch.cumsum(q, -1).sin()
    return q, qd, qdd, tau + 0.02 * torch.randn(tau.shape, generator=gen)


@contextlib.contextmanager
def fast_weights(label):
    """The weights are asked for many times; do the factor product only once."""
    t0 = time.perf_counter()
    with parametrize.cached():  # <- culprit
        yield
    print(f"{label}: {time.perf_counter() - t0:.2f} s")


class Identification:
    def __init__(self, model, data, lr=5e-3, batch=64):
        self.model, self.data, self.batch = model, data, batch
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def batches(self):
        for idx in torch.randperm(len(self.data[0])).split(self.batch):
            yield [t[idx] for t in self.data]

    def sweep(self):
        total = 0.0
        for q, qd, qdd, tau in self.batches():
            fit = (self.model(q, qd, qdd) - tau).pow(2).mean()
            loss = fit + 1e-3 * self.model.power_loss(qd)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += fit.item()
        return total

    def run(self, sweeps):
        for k in range(sweeps):
            with fast_weights(f"sweep {k}"):  # <- culprit
                total = self.sweep()
            print(f"   torque error {total:.4f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(40)
    job = Identification(ArmDynamics(), trajectories(512, gen))
    job.run(sweeps=12)


if __name__ == "__main__":
    main()
