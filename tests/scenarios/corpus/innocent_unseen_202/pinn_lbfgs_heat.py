# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn


class HeatPINN(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))
        self.log_kappa = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def grad(out, inp):
    return torch.autograd.grad(out, inp, torch.ones_like(out), create_graph=True)[0]


class InverseHeat:
    """Recovers the diffusivity from noisy temperature readings."""

    def __init__(self, kappa=0.2, n=64, seed=14):
        g = torch.Generator().manual_seed(seed)
        self.kappa = kappa
        self.xo, self.to = torch.rand(n, 1, generator=g), torch.rand(n, 1, generator=g)
        self.uo = self.solution(self.xo, self.to) + 0.01 * torch.randn(n, 1, generator=g)
        self.xc = torch.rand(n, 1, generator=g).requires_grad_()
        self.tc = torch.rand(n, 1, generator=g).requires_grad_()
        self.parts = {}
        self.trace = []
        self.weights = {"data": 1.0, "pde": 1.0}

    def solution(self, x, t):
        return torch.sin(math.pi * x) * torch.exp(-self.kappa * math.pi ** 2 * t)

    def losses(self, model):
        u = model(self.xc, self.tc)
        u_t, u_x = grad(u, self.tc), grad(u, self.xc)
        res = u_t - model.log_kappa.exp() * grad(u_x, self.xc)
        self.parts = {"data": (model(self.xo, self.to) - self.uo).pow(2).mean(), "pde": res.pow(2).mean()}
        return self.parts

    def total(self, model):
        parts = self.losses(model)
        return sum(self.weights[k] * v for k, v in parts.items())

    def rebalance(self, momentum=0.9):
        d, p = self.parts["data"].item(), self.parts["pde"].item()
        target = max(0.1, min(10.0, d / (p + 1e-8)))
        self.weights["pde"] = momentum * self.weights["pde"] + (1 - momentum) * target

    def record(self, model):
        self.trace.append({k: v.item() for k, v in self.parts.items()} | {"kappa": model.log_kappa.exp().item()})


def adam_phase(problem, model, steps):
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        opt.zero_grad()
        loss = problem.total(model)
        loss.backward()
        opt.step()
        if step % 20 == 0:
            problem.rebalance()
        problem.record(model)


def lbfgs_phase(problem, model, steps):
    opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3, history_size=20)
    last = {}

    def closure():
        opt.zero_grad()
        last["loss"] = problem.total(model)
        last["loss"].backward()
        return last["loss"]

    for _ in range(steps):
        opt.step(closure)
        problem.record(model)
    return last["loss"].item()


def main():
    torch.manual_seed(14)
    problem, model = InverseHeat(), HeatPINN()
    adam_phase(problem, model, 350)
    print("adam ", problem.trace[-1])
    final = lbfgs_phase(problem, model, 80)
    print("lbfgs", problem.trace[-1], f"loss {final:.2e}")


if __name__ == "__main__":
    main()
