# gradwatch-corpus: kind=none
"""PINN for the 1-d Poisson-Boltzmann-like problem u'' = u + f, Adam first and then L-BFGS."""
import math

import torch
import torch.nn as nn


def exact(x):
    return torch.sin(math.pi * x) + 0.3 * torch.sin(3 * math.pi * x)


def source(x):
    a, b = math.pi ** 2, 9 * math.pi ** 2
    return -(a + 1) * torch.sin(math.pi * x) - 0.3 * (b + 1) * torch.sin(3 * math.pi * x)


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True, retain_graph=True)[0]


class PINN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class Solver:
    def __init__(self, n_col=64):
        self.model = PINN()
        self.x = torch.linspace(0, 1, n_col).unsqueeze(1).requires_grad_()
        self.xb = torch.tensor([[0.0], [1.0]])
        self.f = source(self.x.detach())
        self.loss_parts = {}
        self.trace = []
        self.best = None

    def compute_loss(self):
        u = self.model(self.x)
        u_x = derivative(u, self.x)
        u_xx = derivative(u_x, self.x)
        self.loss_parts = {
            "pde": (u_xx - u - self.f).pow(2).mean(),
            "bc": self.model(self.xb).pow(2).mean(),
        }
        return self.loss_parts["pde"] + 100 * self.loss_parts["bc"]

    def record(self, loss):
        value = loss.detach()
        self.trace.append(value)
        if self.best is None or value < self.best:
            self.best = value

    def adam(self, iters, lr=5e-3):
        opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        for i in range(iters):
            opt.zero_grad()
            loss = self.compute_loss()
            loss.backward()
            opt.step()
            self.record(loss)
            if (i + 1) % 50 == 0:
                parts = " ".join(f"{k}={v.item():.3e}" for k, v in self.loss_parts.items())
                print(f"adam {i + 1:4d} {parts}")

    def lbfgs(self, steps, inner=8):
        opt = torch.optim.LBFGS(self.model.parameters(), lr=1.0, max_iter=inner,
                                history_size=10, line_search_fn="strong_wolfe")

        def closure():
            opt.zero_grad()
            loss = self.compute_loss()
            loss.backward()
            self.record(loss)
            return loss

        for s in range(steps):
            opt.step(closure)
            if (s + 1) % 10 == 0:
                print(f"lbfgs {s + 1:3d} loss {self.trace[-1].item():.3e}")

    @torch.no_grad()
    def error(self):
        x = torch.linspace(0, 1, 200).unsqueeze(1)
        return (self.model(x) - exact(x)).abs().max().item()


def main():
    torch.manual_seed(0)
    solver = Solver()
    solver.adam(150)
    print("max error after Adam %.4f" % solver.error())
    solver.lbfgs(20)
    print("max error after L-BFGS %.4f, best loss %.3e" % (solver.error(), solver.best.item()))


if __name__ == "__main__":
    main()
