# gradwatch-corpus: kind=none
"""Deep equilibrium regressor: forward solves for the fixed point without a graph, one attached
application re-enters autograd, and a tensor hook solves the adjoint fixed point."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class SolveStats:
    forward: int = 0
    backward: int = 0


def anderson(f: Callable[[Tensor], Tensor], x0: Tensor, m: int = 4, max_iter: int = 14,
             tol: float = 1e-3, lam: float = 1e-4) -> tuple[Tensor, int]:
    n, d = x0.shape
    xs, fs = x0.new_zeros(n, m, d), x0.new_zeros(n, m, d)
    xs[:, 0], fs[:, 0] = x0, f(x0)
    xs[:, 1] = fs[:, 0]
    fs[:, 1] = f(xs[:, 1].clone())
    k = 1
    for k in range(2, max_iter):
        used = min(k, m)
        g = fs[:, :used] - xs[:, :used]
        gram = g @ g.transpose(1, 2) + lam * torch.eye(used)
        ones = torch.ones(n, used, 1)
        alpha = torch.linalg.solve(gram, ones)
        alpha = alpha / alpha.sum(1, keepdim=True)
        new = (alpha * fs[:, :used]).sum(1)
        xs[:, k % m] = new
        fs[:, k % m] = f(new)
        res = (fs[:, k % m] - new).norm() / (new.norm() + 1e-6)
        if res < tol:
            break
    return fs[:, k % m].clone(), k


class Cell(nn.Module):
    def __init__(self, d_in: int, d: int):
        super().__init__()
        self.inject = nn.Linear(d_in, d)
        self.recur = nn.Linear(d, d, bias=False)
        nn.init.orthogonal_(self.recur.weight, gain=0.4)

    def forward(self, z: Tensor, x: Tensor) -> Tensor:
        return torch.tanh(self.recur(z) + self.inject(x))


class Equilibrium(nn.Module):
    def __init__(self, cell: Cell, stats: SolveStats):
        super().__init__()
        self.cell, self.stats = cell, stats
        self.hook = None

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            start = torch.zeros(len(x), self.cell.recur.in_features)
            z, self.stats.forward = anderson(lambda s: self.cell(s, x), start)
        z = self.cell(z, x)
        if self.training:
            probe = z.detach().requires_grad_()
            image = self.cell(probe, x.detach())

            def adjoint(grad: Tensor) -> Tensor:
                self.hook.remove()
                solution, self.stats.backward = anderson(
                    lambda v: torch.autograd.grad(image, probe, v, retain_graph=True)[0] + grad, grad)
                return solution

            self.hook = z.register_hook(adjoint)
        return z


class Model(nn.Module):
    def __init__(self, d_in: int, d: int = 24):
        super().__init__()
        self.stats = SolveStats()
        self.core = Equilibrium(Cell(d_in, d), self.stats)
        self.head = nn.Linear(d, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.core(x)).squeeze(-1)


def problems(dim: int, batch: int, seed: int):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(dim, 3, generator=gen) / dim ** 0.5
    while True:
        x = torch.randn(batch, dim, generator=gen)
        a, b, c = (x @ w).unbind(-1)
        yield x, torch.sin(2 * a) + b * torch.tanh(c)


def main(steps: int = 240) -> None:
    torch.manual_seed(29)
    model = Model(8)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    averaged = None
    for step, (x, y) in enumerate(problems(8, 48, seed=1)):
        if step == steps:
            break
        loss = (model(x) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        value = loss.item()
        averaged = value if averaged is None else 0.95 * averaged + 0.05 * value
        if step % 60 == 59:
            s = model.stats
            print(f"{step + 1:4d}  mse {averaged:.4f}  solver fwd {s.forward} bwd {s.backward}")


if __name__ == "__main__":
    main()
