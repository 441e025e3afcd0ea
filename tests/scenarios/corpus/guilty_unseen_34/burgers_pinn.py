# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""PINN-like surrogate for viscous Burgers, fitted to sensor data plus initial/boundary points."""
import dataclasses

import numpy as np
import torch
import torch.nn as nn


@dataclasses.dataclass
class Settings:
    iters: int = 80
    nu: float = 0.05
    width: int = 24
    n_data: int = 128
    n_bc: int = 32
    lr: float = 4e-3
    report: int = 20


def reference(x, t, nu):
    # travelling wave solution
    c = 0.5
    return c - 0.5 * np.tanh((x - c * t) / (4 * nu))


class Fourier(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("B", torch.randn(2, n))

    def forward(self, xt):
        p = xt @ self.B
        return torch.cat([torch.sin(p), torch.cos(p)], dim=1)


class Surrogate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.feat = Fourier(width // 2)
        self.l1 = nn.Linear(width, width)
        self.l2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, xt):
        h = torch.tanh(self.l1(self.feat(xt)))
        h = h + torch.tanh(self.l2(h))
        return self.out(h).squeeze(1)


class Problem:
    def __init__(self, cfg, seed=0):
        self.cfg = cfg
        self.rng = np.random.default_rng(seed)
        self.grid = self._points(np.linspace(-1, 1, 40).repeat(5), np.tile(np.linspace(0, 1, 5), 40))

    def _points(self, x, t):
        xt = torch.tensor(np.stack([x, t], 1), dtype=torch.float32)
        u = torch.tensor(reference(x, t, self.cfg.nu), dtype=torch.float32)
        return xt, u

    def sensors(self):
        n = self.cfg.n_data
        return self._points(self.rng.uniform(-1, 1, n), self.rng.uniform(0, 1, n))

    def boundary(self):
        n = self.cfg.n_bc
        return self._points(self.rng.choice([-1.0, 1.0], n), self.rng.uniform(0, 1, n))


def relative_l2(model, grid):
    """Error over each of the five time slices, worst one reported."""
    xt, u = grid
    errors = []
    for t in xt[:, 1].unique():
        sel = xt[:, 1] == t
        pred = model(xt[sel])  # <- culprit
        errors.append((torch.norm(pred - u[sel]) / torch.norm(u[sel])).item())
    return max(errors)


def solve(cfg):
    torch.manual_seed(0)
    problem = Problem(cfg)
    model = Surrogate(cfg.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    best = float("inf")
    for it in range(cfg.iters):
        optimizer.zero_grad()
        xt, u = problem.sensors()
        loss = nn.functional.mse_loss(model(xt), u)
        xb, ub = problem.boundary()
        loss = loss + 2.0 * nn.functional.mse_loss(model(xb), ub)
        loss.backward()
        optimizer.step()

        err = relative_l2(model, problem.grid)  # <- culprit
        if err < best:
            best = err
        if it % cfg.report == 0 or it == cfg.iters - 1:
            print(f"it {it:4d} loss {loss.item():.3e} rel-L2 {err:.3e} best {best:.3e}")


if __name__ == "__main__":
    solve(Settings())
