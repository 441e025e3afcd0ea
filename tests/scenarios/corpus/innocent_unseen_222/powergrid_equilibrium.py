# gradwatch-corpus: kind=none
"""Bus-voltage estimation with a deep-equilibrium layer; implicit gradients come from a tensor hook."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import torch
from torch import Tensor, nn
import torch.nn.functional as F


@dataclass
class SolverStats:
    forward_iters: list[int] = field(default_factory=list)
    backward_iters: list[int] = field(default_factory=list)

    def drain(self) -> tuple[float, float]:
        fwd = sum(self.forward_iters) / max(1, len(self.forward_iters))
        bwd = sum(self.backward_iters) / max(1, len(self.backward_iters))
        self.forward_iters.clear()
        self.backward_iters.clear()
        return fwd, bwd


def fixed_point(f: Callable[[Tensor], Tensor], z: Tensor, tol: float, limit: int) -> tuple[Tensor, int]:
    for i in range(limit):
        nxt = f(z)
        if (nxt - z).norm() < tol * (1 + z.norm()):
            return nxt, i + 1
        z = nxt
    return z, limit


class BusCell(nn.Module):
    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.inject = nn.Linear(features, hidden)
        self.couple = nn.Linear(hidden, hidden, bias=False)

    def forward(self, z: Tensor, x: Tensor, adj: Tensor) -> Tensor:
        w = 0.8 * self.couple.weight / self.couple.weight.norm().clamp_min(0.8)
        return torch.tanh(adj @ z @ w.T + self.inject(x))


class EquilibriumNet(nn.Module):
    def __init__(self, features: int, hidden: int, tol: float = 1e-4, limit: int = 25) -> None:
        super().__init__()
        self.cell = BusCell(features, hidden)
        self.read = nn.Linear(hidden, 2)
        self.tol = tol
        self.limit = limit
        self.stats = SolverStats()
        self.warm: Tensor | None = None

    def forward(self, x: Tensor, adj: Tensor) -> Tensor:
        start = self.warm if self.warm is not None else torch.zeros(len(x), x.shape[1], self.cell.couple.in_features)
        with torch.no_grad():
            z_star, n = fixed_point(lambda z: self.cell(z, x, adj), start, self.tol, self.limit)
        self.stats.forward_iters.append(n)
        self.warm = z_star
        z = self.cell(z_star, x, adj)
        if z.requires_grad:
            z0 = z.detach().clone().requires_grad_()
            f0 = self.cell(z0, x, adj)

            def implicit(grad: Tensor) -> Tensor:
                def vjp(y: Tensor) -> Tensor:
                    return torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad

                g, m = fixed_point(vjp, grad, self.tol, self.limit)
                self.stats.backward_iters.append(m)
                return g

            z.register_hook(implicit)
        return self.read(z)


def grid(n: int) -> Tensor:
    adj = torch.eye(n) + torch.diag(torch.ones(n - 1), 1) + torch.diag(torch.ones(n - 1), -1)
    adj[0, n // 2] = adj[n // 2, 0] = 1
    return adj / adj.sum(1, keepdim=True)


def main() -> None:
    torch.manual_seed(31)
    n = 14
    adj = grid(n)
    far = torch.linalg.matrix_power(adj, 4)
    model = EquilibriumNet(3, 20)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(100):
        load = torch.randn(8, n, 3)
        target = torch.stack([(far @ load[..., :1]).squeeze(-1), (adj @ load[..., 1:2]).squeeze(-1).tanh()], -1)
        loss = F.mse_loss(model(load, adj), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 25 == 0:
            fwd, bwd = model.stats.drain()
            print(f"step {step} mse {loss.item():.4f} solver {fwd:.1f}/{bwd:.1f}")


if __name__ == "__main__":
    main()
