# gradwatch-corpus: kind=second-backward
# holder: gp._chol | self._chol
# first-bad: 1
# notice: 0
"""Kriging of ore grades along a drill line: marginal likelihood of an exact Gaussian process."""
import math

import torch

torch.set_num_threads(1)


class Kriging(torch.nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        self.log_len = torch.nn.Parameter(torch.tensor(-1.0))
        self.log_sill = torch.nn.Parameter(torch.tensor(0.0))
        self.log_nugget = torch.nn.Parameter(torch.tensor(-2.0))
        self._chol = None

    @property
    def chol(self):
        if self._chol is None:
            lag = (self.depth[:, None] - self.depth[None, :]) / self.log_len.exp()
            K = self.log_sill.exp() * torch.exp(-0.5 * lag ** 2)
            K = K + (self.log_nugget.exp() + 1e-4) * torch.eye(len(self.depth))
            self._chol = torch.linalg.cholesky(K)  # <- culprit
        return self._chol

    def nll(self, grade):
        alpha = torch.cholesky_solve(grade[:, None], self.chol)[:, 0]
        return 0.5 * grade @ alpha + self.chol.diagonal().log().sum() + 0.5 * len(grade) * math.log(2 * math.pi)


def drill_line(n=25):
    d = torch.linspace(0, 3, n)
    return d, torch.sin(2.2 * d) + 0.5 * torch.cos(5 * d) + 0.1 * torch.randn(n)


def optimise(gp, grade, iters=200):
    opt = torch.optim.Adam(gp.parameters(), lr=0.03)
    for i in range(iters):
        opt.zero_grad()
        value = gp.nll(grade)
        value.backward()
        opt.step()
        if i % 20 == 0:
            print(i, f"{value.item():.3f}", f"length {gp.log_len.exp().item():.3f}")


torch.manual_seed(90)
depth, grade = drill_line()
optimise(Kriging(depth), grade)
