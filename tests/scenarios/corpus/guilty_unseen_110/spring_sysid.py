# gradwatch-corpus: kind=inplace-modified
# holder: traj | out | traj[:, t]
# first-bad: 40
# notice: 0
"""System identification of a damped mass-spring chain.

Stage one fits single steps, stage two refines the model on free rollouts.
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cfg:
    masses: int = 3
    dt: float = 0.05
    hidden: int = 48
    one_step_iters: int = 40
    rollout_iters: int = 200
    horizon: int = 8
    batch: int = 24
    lr: float = 3e-3


def true_accel(q, v):
    n = q.shape[-1]
    pad = torch.nn.functional.pad(q, (1, 1))
    spring = pad[..., :n] - 2 * q + pad[..., 2:]
    return 4.0 * spring - 0.3 * v - 0.5 * q ** 3


def simulate(cfg, n_traj, steps):
    q = torch.randn(n_traj, cfg.masses)
    v = torch.randn(n_traj, cfg.masses)
    rows = []
    for _ in range(steps):
        rows.append(torch.cat([q, v], -1))
        v = v + cfg.dt * true_accel(q, v)
        q = q + cfg.dt * v
    return torch.stack(rows, 1)


class Field(nn.Module):
    """dx/dt of the learnt system."""

    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, dim)
        )

    def forward(self, x):
        return self.net(x)


class Stepper:
    def __init__(self, field, dt):
        self.field, self.dt = field, dt

    def midpoint(self, x):
        k = self.field(x)
        return x + self.dt * self.field(x + 0.5 * self.dt * k)

    def rollout(self, x0, n):
        traj = torch.empty(x0.shape[0], n + 1, x0.shape[1])  # <- culprit
        traj[:, 0] = x0
        for t in range(n):
            traj[:, t + 1] = self.midpoint(traj[:, t])  # <- culprit
        return traj


def windows(data, length, batch):
    i = torch.randint(0, data.shape[0], (batch,))
    s = torch.randint(0, data.shape[1] - length, (batch,))
    return torch.stack([data[a, b:b + length + 1] for a, b in zip(i.tolist(), s.tolist())])


def one_step_loss(stepper, w):
    return ((stepper.midpoint(w[:, 0]) - w[:, 1]) ** 2).mean()


def rollout_loss(stepper, w):
    out = stepper.rollout(w[:, 0], w.shape[1] - 1)
    weight = torch.linspace(1.0, 0.3, out.shape[1]).view(1, -1, 1)
    return (weight * (out - w) ** 2).mean()


def run_stage(name, loss_fn, stepper, opt, data, iters, length, cfg):
    for it in range(iters):
        loss = loss_fn(stepper, windows(data, length, cfg.batch))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(stepper.field.parameters(), 1.0)
        opt.step()
        if it % 20 == 0:
            print(f"{name:>8} {it:4d}  {loss.item():.6f}")


def main(cfg=Cfg()):
    torch.set_num_threads(1)
    torch.manual_seed(42)
    data = simulate(cfg, 20, 100)
    stepper = Stepper(Field(2 * cfg.masses, cfg.hidden), cfg.dt)
    opt = torch.optim.Adam(stepper.field.parameters(), lr=cfg.lr)
    run_stage("onestep", one_step_loss, stepper, opt, data, cfg.one_step_iters, 1, cfg)
    run_stage("rollout", rollout_loss, stepper, opt, data, cfg.rollout_iters, cfg.horizon, cfg)
    with torch.no_grad():
        w = windows(data, 30, 8)
        print("30-step error", (stepper.rollout(w[:, 0], 30) - w).abs().mean().item())


if __name__ == "__main__":
    main()
