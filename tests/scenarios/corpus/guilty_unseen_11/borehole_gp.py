# gradwatch-corpus: kind=second-backward
# holder: self.chol | kernel.chol | self.kernel.chol | gp.kernel.chol | model.kernel.chol | kernel.__dict__["chol"]
# first-bad: 1
"""Porosity logs of neighbouring boreholes as draws of one Gaussian process; hyperparameters by marginal likelihood.

All boreholes are sampled at the same 48 depths, so the covariance is the same for every hole.
"""
import math
from functools import cached_property

import torch
from torch import nn


class DepthKernel(nn.Module):
    """Matern-3/2 plus a nugget over fixed depths."""

    def __init__(self, depths):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(0.0))
        self.log_length = nn.Parameter(torch.tensor(-1.0))
        self.log_nugget = nn.Parameter(torch.tensor(-2.0))
        self.register_buffer("lag", (depths[:, None] - depths[None, :]).abs())

    def covariance(self):
        r = math.sqrt(3.0) * self.lag / self.log_length.exp()
        smooth = self.log_scale.exp() * (1 + r) * torch.exp(-r)
        return smooth + self.log_nugget.exp() * torch.eye(len(self.lag))

    @cached_property  # <- culprit
    def chol(self):
        return torch.linalg.cholesky(self.covariance())  # <- culprit


class PorosityModel(nn.Module):
    def __init__(self, depths):
        super().__init__()
        self.kernel = DepthKernel(depths)
        self.trend = nn.Linear(2, 1)
        self.register_buffer("basis", torch.stack([depths, depths ** 2], dim=1))

    def whiten(self, log):
        residual = log - self.trend(self.basis)
        return torch.linalg.solve_triangular(self.kernel.chol, residual, upper=False)  # <- culprit

    def negative_log_likelihood(self, log):
        z = self.whiten(log)
        halves = 0.5 * z.pow(2).sum(0) + self.kernel.chol.diagonal().log().sum()
        return (halves + 0.5 * len(log) * math.log(2 * math.pi)).mean()


class Field:
    """Draws boreholes with the true parameters."""

    def __init__(self, depths, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.depths = depths
        truth = DepthKernel(depths)
        with torch.no_grad():
            truth.log_scale.fill_(0.4)
            truth.log_length.fill_(-1.6)
            truth.log_nugget.fill_(-3.0)
            self.root = torch.linalg.cholesky(truth.covariance())

    def drill(self, holes=6):
        noise = torch.randn(len(self.depths), holes, generator=self.gen)
        return self.root @ noise + 0.8 * self.depths[:, None] - 0.3


def fit(model, field, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for step in range(steps):
        nll = model.negative_log_likelihood(field.drill())
        optimizer.zero_grad()
        nll.backward()
        optimizer.step()
        if step % 50 == 49:
            k = model.kernel
            print(f"{step + 1:4d}  nll {nll.item():8.3f}  length {k.log_length.exp().item():.3f}"
                  f"  nugget {k.log_nugget.exp().item():.3f}")


def main():
    torch.manual_seed(10)
    depths = torch.linspace(0.0, 1.0, 48)
    fit(PorosityModel(depths), Field(depths, seed=77), steps=250)


if __name__ == "__main__":
    main()
