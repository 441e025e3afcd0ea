# gradwatch-corpus: kind=graph-chain
# holder: self.pos | self.vel | self.filt.pos | self.filt.vel | tracker.pos | tracker.vel | filt.pos | filt.vel
# first-bad: 1
"""Tune the gains of an alpha-beta tracker online, sweep by sweep."""
import numpy as np
import torch
from torch import nn


class AlphaBeta(nn.Module):
    def __init__(self, n_targets, dt=0.1):
        super().__init__()
        self.raw_alpha = nn.Parameter(torch.tensor(-1.0))
        self.raw_beta = nn.Parameter(torch.tensor(-3.0))
        self.dt = dt
        self.pos = torch.zeros(n_targets, 2)
        self.vel = torch.zeros(n_targets, 2)

    @property
    def gains(self):
        return torch.sigmoid(self.raw_alpha), torch.sigmoid(self.raw_beta)

    def forward(self, z):
        alpha, beta = self.gains
        predicted = self.pos + self.dt * self.vel
        innovation = z - predicted
        self.pos = predicted + alpha * innovation  # <- culprit
        self.vel = self.vel + (beta / self.dt) * innovation  # <- culprit
        return self.pos + self.dt * self.vel


def simulate(n_targets, sweeps, dt, seed):
    rng = np.random.default_rng(seed)
    p = rng.normal(0, 5, (n_targets, 2))
    v = rng.normal(0, 1, (n_targets, 2))
    for _ in range(sweeps):
        v = v + rng.normal(0, 0.3, v.shape) * np.sqrt(dt)
        p = p + dt * v
        yield torch.from_numpy(p + rng.normal(0, 0.2, p.shape)).float()


class OnlineTuner:
    def __init__(self, filt, lr, report_every=25):
        self.filt = filt
        self.opt = torch.optim.Adam(filt.parameters(), lr=lr)
        self.report_every = report_every
        self.smooth = None

    def step(self, k, z, z_next):
        err = z_next - self.filt(z)
        loss = err.square().sum(-1).mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.filt.parameters(), 1.0)
        self.opt.step()
        value = loss.item()
        self.smooth = value if self.smooth is None else 0.95 * self.smooth + 0.05 * value
        if k % self.report_every == 0:
            a, b = (g.item() for g in self.filt.gains)
            print(f"sweep {k:3d}  innov {self.smooth:.4f}  alpha {a:.3f}  beta {b:.3f}")


def main():
    torch.manual_seed(0)
    tracker = AlphaBeta(n_targets=20)
    tuner = OnlineTuner(tracker, lr=0.02)
    sweeps = list(simulate(20, 130, tracker.dt, seed=4))
    for k, (z, z_next) in enumerate(zip(sweeps[:-1], sweeps[1:])):
        tuner.step(k, z, z_next)


if __name__ == "__main__":
    main()
