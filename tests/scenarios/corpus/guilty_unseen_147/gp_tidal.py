# gradwatch-corpus: kind=second-backward
# holder: self.gram | problem.gram
# first-bad: 1
# notice: 0
"""Gaussian-process fit of tide gauge residuals, marginal likelihood by gradient ascent."""
from dataclasses import dataclass, field

import torch

torch.set_num_threads(1)
torch.manual_seed(40)


@dataclass
class Hyper:
    log_ell: torch.Tensor = field(default_factory=lambda: torch.tensor(0.0, requires_grad=True))
    log_amp: torch.Tensor = field(default_factory=lambda: torch.tensor(0.0, requires_grad=True))
    log_eps: torch.Tensor = field(default_factory=lambda: torch.tensor(-2.0, requires_grad=True))

    def all(self):
        return [self.log_ell, self.log_amp, self.log_eps]


def pairwise_sq(t):
    return (t[:, None] - t[None, :]) ** 2


def matern_like(d2, h):
    r = torch.sqrt(d2 + 1e-9) * torch.exp(-h.log_ell)
    return torch.exp(2 * h.log_amp) * (1 + r) * torch.exp(-r)


@dataclass
class TidalProblem:
    t: torch.Tensor
    y: torch.Tensor
    hyper: Hyper
    gram: torch.Tensor = field(init=False)

    def __post_init__(self):
        self.gram = matern_like(pairwise_sq(self.t), self.hyper)  # <- culprit

    def neg_evidence(self):
        n = len(self.t)
        L = torch.linalg.cholesky(self.gram + torch.exp(2 * self.hyper.log_eps) * torch.eye(n))
        a = torch.cholesky_solve(self.y[:, None], L)
        return 0.5 * (self.y @ a.squeeze(1)) + L.diagonal().log().sum()


def ascend(problem, rounds):
    opt = torch.optim.Adam(problem.hyper.all(), lr=0.03)
    for r in range(rounds):
        opt.zero_grad()
        nle = problem.neg_evidence()
        nle.backward()
        opt.step()
        if r % 50 == 0:
            print(r, round(nle.item(), 3))


t = torch.sort(torch.rand(30) * 10).values
problem = TidalProblem(t, torch.sin(1.9 * t) + 0.1 * torch.randn(30), Hyper())
ascend(problem, 300)
print([round(h.exp().item(), 3) for h in problem.hyper.all()])
