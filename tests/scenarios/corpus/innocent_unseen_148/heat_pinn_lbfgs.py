# gradwatch-corpus: kind=none
"""PINN for the heat equation, Adam first and L-BFGS afterwards; unknown diffusivity is fitted too."""
import math

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(18)
ALPHA = 0.1


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class HeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
        self.log_alpha = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))

    def residual(self, x, t):
        u = self(x, t)
        return d(u, t) - self.log_alpha.exp() * d(d(u, x), x)


class Problem:
    def __init__(self, n=48):
        self.x = torch.rand(n, 1).requires_grad_()
        self.t = torch.rand(n, 1).requires_grad_()
        self.xs, self.ts = torch.rand(24, 1), torch.rand(24, 1)
        self.us = torch.exp(-ALPHA * math.pi**2 * self.ts) * torch.sin(math.pi * self.xs)
        self.trace = []

    def loss(self, net):
        pde = net.residual(self.x, self.t).square().mean()
        data = (net(self.xs, self.ts) - self.us).square().mean()
        edge = net(torch.zeros_like(self.ts), self.ts).square().mean()
        edge = edge + net(torch.ones_like(self.ts), self.ts).square().mean()
        total = pde + 10 * data + edge
        self.trace.append((total.item(), pde.item(), net.log_alpha.exp().item()))
        return total


def adam_phase(net, problem, iters):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(iters):
        opt.zero_grad()
        problem.loss(net).backward()
        opt.step()


def lbfgs_phase(net, problem, rounds):
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=6, history_size=5, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = problem.loss(net)
        loss.backward()
        return loss

    for _ in range(rounds):
        opt.step(closure)


def main():
    net, problem = HeatNet(), Problem()
    adam_phase(net, problem, 70)
    print("adam  loss %.5f pde %.5f alpha %.3f" % problem.trace[-1])
    lbfgs_phase(net, problem, 10)
    print("lbfgs loss %.5f pde %.5f alpha %.3f" % problem.trace[-1])
    print(f"{len(problem.trace)} evaluations, best {np.min([r[0] for r in problem.trace]):.5f}")


if __name__ == "__main__":
    main()
