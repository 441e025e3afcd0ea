# gradwatch-corpus: kind=graph-held
# holder: VectorField.time_code | self.time_code | field.time_code | self.field.time_code | model.field.time_code
# first-bad: 1
"""Non-autonomous neural ODE on noisy spirals, fixed-step RK4."""
import random
from functools import lru_cache

import torch
from torch import nn


class VectorField(nn.Module):
    def __init__(self, dim=2, hidden=32, time_dim=8):
        super().__init__()
        self.time_mlp = nn.Sequential(nn.Linear(2, 16), nn.SiLU(), nn.Linear(16, time_dim))
        self.net = nn.Sequential(
            nn.Linear(dim + time_dim, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, dim),
        )
        self.evals = 0

    @lru_cache(maxsize=None)  # <- culprit
    def time_code(self, t: float):
        # RK4 asks twice for the midpoint, and the end of a step is the start of the next
        phase = torch.tensor([t])
        return self.time_mlp(torch.cat([phase.sin(), phase.cos()]))  # <- culprit

    def forward(self, t, y):
        self.evals += 1
        code = self.time_code(t).expand(y.size(0), -1)
        return self.net(torch.cat([y, code], dim=-1))


def rk4_step(f, t, h, y):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class ODEModel(nn.Module):
    def __init__(self, substeps=1):
        super().__init__()
        self.field = VectorField()
        self.substeps = substeps

    def forward(self, y0, times):
        path, y = [y0], y0
        for a, b in zip(times[:-1], times[1:]):
            h = (b - a) / self.substeps
            for s in range(self.substeps):
                y = rk4_step(self.field, a + s * h, h, y)
            path.append(y)
        return torch.stack(path)


def spiral(t, phase):
    """Ground truth: radius shrinks, angular speed wobbles with time."""
    t = torch.as_tensor(t)[:, None]
    radius = 2.0 * torch.exp(-0.15 * t)
    angle = 1.5 * t + 0.4 * torch.sin(t) + phase[None, :]
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=-1)


def sample_batch(n_traj=24, n_obs=6, dt=0.15, noise=0.02):
    start = random.uniform(0.0, 5.0)
    times = [start + i * dt for i in range(n_obs)]
    clean = spiral(times, 6.2832 * torch.rand(n_traj))
    return times, clean + noise * torch.randn_like(clean)


def main():
    random.seed(1)
    torch.manual_seed(1)
    model = ODEModel()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=40, gamma=0.5)

    running = 0.0
    for it in range(110):
        times, obs = sample_batch()
        pred = model(obs[0], times)
        loss = (pred - obs).abs().mean()

        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()

        running += loss.item()
        if (it + 1) % 22 == 0:
            print(f"iter {it + 1:4d} | L1 {running / 22:.4f} | nfe {model.field.evals}")
            running, model.field.evals = 0.0, 0

    with torch.no_grad():
        times, obs = sample_batch(n_traj=64, n_obs=10)
        err = (model(obs[0], times) - obs).norm(dim=-1).mean()
    print(f"extrapolation error {err:.4f}")


if __name__ == "__main__":
    main()
