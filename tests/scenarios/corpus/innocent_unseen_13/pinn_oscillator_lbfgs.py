# gradwatch-corpus: kind=none
"""Damped oscillator with an unknown stiffness, solved by a physics-informed network with L-BFGS; term
weights follow the gradient norms of the terms (Wang et al. 2021)."""
import math

import torch
from torch import nn

M, C, K = 1.0, 0.4, 6.0


def exact(t):
    d = C / (2 * M)
    w = math.sqrt(K / M - d * d)
    return torch.exp(-d * t) * (torch.cos(w * t) + d / w * torch.sin(w * t))


class OscillatorNet(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_k = nn.Parameter(torch.tensor(1.0))

    def forward(self, t):
        return self.net(t)

    @property
    def stiffness(self):
        return self.log_k.exp()


def derivative(y, t):
    return torch.autograd.grad(y.sum(), t, create_graph=True)[0]


class Terms:
    """Names and functions of the loss terms, in the order of their registration."""

    def __init__(self):
        self.functions = {}

    def __call__(self, name):
        def register(f):
            self.functions[name] = f
            return f
        return register

    def evaluate(self, model, data):
        return {name: f(model, data) for name, f in self.functions.items()}


terms = Terms()


@terms("ode")
def ode_term(model, data):
    t = data["collocation"]
    u = model(t)
    v = derivative(u, t)
    return (M * derivative(v, t) + C * v + model.stiffness * u).square().mean()


@terms("start")
def start_term(model, data):
    t0 = data["origin"]
    u = model(t0)
    return (u - 1).square().mean() + derivative(u, t0).square().mean()


@terms("data")
def data_term(model, data):
    return (model(data["t"]) - data["u"]).square().mean()


class GradNormWeights:
    def __init__(self, names, reference="ode", momentum=0.9):
        self.weights = {n: 1.0 for n in names}
        self.reference, self.momentum = reference, momentum

    def refresh(self, values, params):
        norms = {}
        for name, value in values.items():
            grads = torch.autograd.grad(value, params, allow_unused=True)
            norms[name] = torch.cat([g.flatten() for g in grads if g is not None]).abs().mean().item()
        for name in self.weights:
            if name != self.reference:
                ratio = min(100.0, norms[self.reference] / (norms[name] + 1e-8))
                self.weights[name] = self.momentum * self.weights[name] + (1 - self.momentum) * ratio

    def combine(self, values):
        return sum(self.weights[n] * v for n, v in values.items())


class Solver:
    def __init__(self, n_data=20, horizon=3.0, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.g, self.horizon = g, horizon
        self.model = OscillatorNet()
        t = horizon * torch.rand(n_data, 1, generator=g)
        self.data = {
            "t": t,
            "u": exact(t) + 0.02 * torch.randn(n_data, 1, generator=g),
            "origin": torch.zeros(1, 1, requires_grad=True),
        }
        self.balance = GradNormWeights(terms.functions)
        self.opt = torch.optim.LBFGS(self.model.parameters(), lr=0.5, max_iter=2, history_size=8)
        self.latest = {}

    def resample(self, n=40):
        self.data["collocation"] = (self.horizon * torch.rand(n, 1, generator=self.g)).requires_grad_()

    def closure(self):
        self.opt.zero_grad()
        values = terms.evaluate(self.model, self.data)
        loss = self.balance.combine(values)
        loss.backward()
        self.data["origin"].grad = None
        self.latest = {n: v.item() for n, v in values.items()}
        return loss

    def iterate(self, i):
        if i % 10 == 0:
            self.resample()
            values = terms.evaluate(self.model, self.data)
            self.balance.refresh(values, list(self.model.parameters()))
        return self.opt.step(self.closure).item()


def main(iterations=220):
    torch.manual_seed(10)
    solver = Solver(seed=10)
    for i in range(iterations):
        loss = solver.iterate(i)
        if i % 40 == 0:
            parts = " ".join(f"{n} {v:.2e}" for n, v in solver.latest.items())
            print(f"{i:4d} loss {loss:.3e} k {solver.model.stiffness.item():.3f} | {parts}")


if __name__ == "__main__":
    main()
