# gradwatch-corpus: kind=none
"""Groundwater head under a dam by a physics-informed network, with an unknown conductivity ratio."""
from collections import namedtuple

import torch
from torch import nn

Terms = namedtuple("Terms", "flow boundary wells")


class HeadNet(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_ratio = nn.Parameter(torch.zeros(()))

    def forward(self, xz):
        return self.net(xz).squeeze(-1)


def derivative(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def flow_residual(model, xz):
    xz = xz.requires_grad_()
    slope = derivative(model(xz), xz)
    h_xx = derivative(slope[:, 0], xz)[:, 0]
    h_zz = derivative(slope[:, 1], xz)[:, 1]
    return h_xx + model.log_ratio.exp() * h_zz


class Site:
    def __init__(self, seed=130):
        self.gen = torch.Generator().manual_seed(seed)
        self.wells = torch.rand(10, 2, generator=self.gen)

    @staticmethod
    def head(xz, ratio=0.5):
        k = 1.5
        return torch.cos(k * xz[:, 0]) * torch.cosh(k * xz[:, 1] / ratio ** 0.5) / 4

    def collocation(self, n):
        return torch.rand(n, 2, generator=self.gen)

    def edges(self, n):
        xz = torch.rand(n, 2, generator=self.gen)
        side = torch.randint(0, 2, (n,), generator=self.gen)
        xz[torch.arange(n), side] = torch.randint(0, 2, (n,), generator=self.gen).float()
        return xz


class Solver:
    def __init__(self, site):
        self.site = site
        self.model = HeadNet()
        self.optimizer = torch.optim.Adam(self.model.parameters(), 5e-3)
        self.history = {name: [] for name in Terms._fields}

    def terms(self):
        edges = self.site.edges(24)
        return Terms(
            flow=flow_residual(self.model, self.site.collocation(40)).pow(2).mean(),
            boundary=(self.model(edges) - self.site.head(edges)).pow(2).mean(),
            wells=(self.model(self.site.wells) - self.site.head(self.site.wells)).pow(2).mean(),
        )

    def step(self):
        terms = self.terms()
        loss = 0.05 * terms.flow + terms.boundary + terms.wells
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        for name, term in zip(Terms._fields, terms):
            self.history[name].append(term.item())

    def solve(self, steps):
        for k in range(steps):
            self.step()
            if k % 30 == 29:
                print(k + 1, {name: round(v[-1], 5) for name, v in self.history.items()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(130)
    solver = Solver(Site())
    solver.solve(120)
    print("conductivity ratio", round(solver.model.log_ratio.exp().item(), 3))
