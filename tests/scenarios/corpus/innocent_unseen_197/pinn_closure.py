# gradwatch-corpus: kind=none
from dataclasses import dataclass, field
from functools import wraps

import torch
from torch import nn


@dataclass
class Problem:
    stiffness: float = 2.0
    points: int = 40
    outer: int = 410
    inner: int = 4
    history: int = 10
    resample: int = 5


@dataclass
class Evaluations:
    count: int = 0
    terms: list = field(default_factory=list)
    last: dict = field(default_factory=dict)


def counted(log):
    def deco(fn):
        @wraps(fn)
        def inner(*args, **kwargs):
            total, terms = fn(*args, **kwargs)
            log.count += 1
            log.last = terms
            log.terms.append({k: float(v.detach()) for k, v in terms.items()})
            return total

        return inner

    return deco


class Field(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.damping = nn.Parameter(torch.tensor(0.1))

    def forward(self, t):
        return self.net(t)

    def derivatives(self, t):
        u = self(t)
        (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
        (ddu,) = torch.autograd.grad(du.sum(), t, create_graph=True)
        return u, du, ddu


class ResidualSolver:
    def __init__(self, problem):
        self.problem = problem
        self.field = Field()
        self.evals = Evaluations()
        self.opt = torch.optim.LBFGS(
            self.field.parameters(), lr=0.5, max_iter=problem.inner, history_size=problem.history
        )
        self.measured_t = torch.linspace(0, 2, 9).unsqueeze(-1)
        self.measured_u = torch.exp(-0.3 * self.measured_t) * torch.cos(1.38 * self.measured_t)
        self.cloud = None
        self.curve = []

    def draw(self, gen):
        self.cloud = (2 * torch.rand(self.problem.points, 1, generator=gen)).requires_grad_()

    def terms(self):
        u, du, ddu = self.field.derivatives(self.cloud)
        residual = ddu + self.field.damping * du + self.problem.stiffness * u
        return {
            "physics": residual.square().mean(),
            "data": (self.field(self.measured_t) - self.measured_u).square().mean(),
        }

    def step(self):
        @counted(self.evals)
        def objective():
            terms = self.terms()
            return 0.1 * terms["physics"] + terms["data"], terms

        def closure():
            self.opt.zero_grad()
            loss = objective()
            loss.backward()
            return loss

        self.curve.append(self.opt.step(closure).item())
        self.cloud.grad = None


def main():
    torch.manual_seed(20)
    gen = torch.Generator().manual_seed(202)
    problem = Problem()
    solver = ResidualSolver(problem)
    for outer in range(problem.outer):
        if outer % problem.resample == 0:
            solver.draw(gen)
        solver.step()
        if outer % 100 == 0:
            print(outer, f"{solver.curve[-1]:.6f}", solver.evals.terms[-1], solver.evals.count)


if __name__ == "__main__":
    main()
