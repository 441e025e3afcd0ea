# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""Neural ODE for a predator-prey system, integrated with an Adams-Bashforth scheme whose coefficients are fitted
along with the vector field. The horizon is stretched as the fit gets better."""
import logging
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ode")


@dataclass
class Settings:
    dt: float = 0.05
    batch: int = 64
    steps: int = 240
    lr: float = 4e-3
    order: int = 3
    stretch_every: int = 30
    max_horizon: int = 6


def lotka_volterra(x: Tensor) -> Tensor:
    prey, predator = x.unbind(-1)
    return torch.stack([1.1 * prey - 0.4 * prey * predator, 0.1 * prey * predator - 0.4 * predator], -1)


def rk4(f, x: Tensor, dt: float) -> Tensor:
    k1 = f(x)
    k2 = f(x + 0.5 * dt * k1)
    k3 = f(x + 0.5 * dt * k2)
    k4 = f(x + dt * k3)
    return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def reference(cfg: Settings, seed: int = 3) -> Iterator[tuple[Tensor, Tensor]]:
    """Start points with the true trajectory over the longest horizon."""
    gen = torch.Generator().manual_seed(seed)
    while True:
        x = 1.0 + 5.0 * torch.rand(cfg.batch, 2, generator=gen)
        path = []
        y = x
        for _ in range(cfg.max_horizon):
            y = rk4(lotka_volterra, y, cfg.dt)
            path.append(y)
        yield x, torch.stack(path, 1)


class VectorField(nn.Module):
    def __init__(self, hidden: int = 32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Softplus(), nn.Linear(hidden, hidden), nn.Softplus(),
                                 nn.Linear(hidden, 2))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class AdamsBashforth(nn.Module):
    """x[k+1] = x[k] + dt * sum_j c[j] f[k-j]; slopes live in a ring of 'order' slots."""

    def __init__(self, field: nn.Module, order: int, dt: float):
        super().__init__()
        self.field, self.order, self.dt = field, order, dt
        self.coef = nn.Parameter(torch.tensor([23.0, -16.0, 5.0])[:order] / 12)

    def weights(self, k: int) -> Tensor:
        age = (k - torch.arange(self.order)) % self.order
        used = (age <= k).float()
        c = self.coef[age] * used
        return c / c.sum()

    def forward(self, x: Tensor, horizon: int) -> Tensor:
        ring = x.new_zeros(x.shape[0], self.order, x.shape[1])
        out = []
        for k in range(horizon):
            ring[:, k % self.order] = self.field(x)  # <- culprit
            slope = (self.weights(k)[:, None] * ring).sum(1)
            x = x + self.dt * slope
            out.append(x)
        return torch.stack(out, 1)


class HorizonSchedule:
    def __init__(self, every: int, longest: int):
        self.every, self.longest = every, longest

    def __call__(self, step: int) -> int:
        return min(1 + step // self.every, self.longest)


def fit(cfg: Settings) -> nn.Module:
    torch.manual_seed(12)
    solver = AdamsBashforth(VectorField(), cfg.order, cfg.dt)
    optimizer = torch.optim.Adam(solver.parameters(), lr=cfg.lr)
    horizon_at = HorizonSchedule(cfg.stretch_every, cfg.max_horizon)
    for step, (x0, path) in zip(range(cfg.steps), reference(cfg)):
        horizon = horizon_at(step)
        predicted = solver(x0, horizon)
        loss = ((predicted - path[:, :horizon]) / cfg.dt).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 15 == 0:
            log.info("step %3d  horizon %d  loss %.5f", step, horizon, loss.item())
    return solver


if __name__ == "__main__":
    fit(Settings())
