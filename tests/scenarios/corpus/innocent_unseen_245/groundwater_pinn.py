# gradwatch-corpus: kind=none
"""Physics-informed estimate of hydraulic head and conductivity in a 2-D aquifer.

Each step penalises div(K grad h) = -recharge at random collocation points. The
relative weights of data and physics terms are refreshed every few steps from
the norms of their separate gradients.
"""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Weights:
    data: float = 1.0
    physics: float = 1.0


class Field(nn.Module):
    def __init__(self, width, positive=False):
        super().__init__()
        self.inp = nn.Linear(2, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)
        self.positive = positive

    def forward(self, xy):
        h = torch.sin(self.inp(xy))
        h = torch.tanh(self.mid(h))
        value = self.out(h).squeeze(1)
        if self.positive:
            value = nn.functional.softplus(value)
        return value


def gradient(values, xy):
    (g,) = torch.autograd.grad(values.sum(), xy, create_graph=True)
    return g


def divergence(flux, xy):
    total = 0.0
    for axis in range(flux.shape[1]):
        (g,) = torch.autograd.grad(flux[:, axis].sum(), xy, create_graph=True)
        total = total + g[:, axis]
    return total


class AquiferProblem:
    def __init__(self, n_wells):
        self.wells = torch.rand(n_wells, 2)
        x, y = self.wells.unbind(dim=1)
        self.levels = 1 - 0.5 * x.square() - 0.3 * y.square() + 0.01 * torch.randn(n_wells)
        self.recharge = 1.6

    def residual(self, head, conductivity, n_points):
        xy = torch.rand(n_points, 2, requires_grad=True)
        slope = gradient(head(xy), xy)
        flux = conductivity(xy).unsqueeze(1) * slope
        return divergence(flux, xy) + self.recharge


class Inversion:
    def __init__(self, problem, width, lr, refresh):
        self.problem = problem
        self.head = Field(width)
        self.conductivity = Field(width, positive=True)
        self.params = list(self.head.parameters()) + list(self.conductivity.parameters())
        self.optimizer = torch.optim.Adam(self.params, lr=lr)
        self.weights = Weights()
        self.refresh = refresh

    def rebalance(self, data_term, physics_term):
        shared = list(self.head.parameters())[:-1]
        g_data = torch.autograd.grad(data_term, shared, retain_graph=True)
        g_phys = torch.autograd.grad(physics_term, shared, retain_graph=True)
        norm_data = sum(g.square().sum() for g in g_data).sqrt().item()
        norm_phys = sum(g.square().sum() for g in g_phys).sqrt().item()
        total = norm_data + norm_phys
        self.weights.data = 0.9 * self.weights.data + 0.1 * total / (norm_data + 1e-8)
        self.weights.physics = 0.9 * self.weights.physics + 0.1 * total / (norm_phys + 1e-8)

    def step(self, number, n_points):
        data_term = (self.head(self.problem.wells) - self.problem.levels).square().mean()
        physics_term = self.problem.residual(self.head, self.conductivity, n_points).square().mean()
        if number % self.refresh == 0:
            self.rebalance(data_term, physics_term)
        loss = self.weights.data * data_term + self.weights.physics * physics_term
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return data_term.item(), physics_term.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wells", type=int, default=50)
    parser.add_argument("--points", type=int, default=128)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--refresh", type=int, default=10)
    parser.add_argument("--lr", type=float, default=4e-3)
    args = parser.parse_args()
    torch.manual_seed(40)
    inversion = Inversion(AquiferProblem(args.wells), args.width, args.lr, args.refresh)
    for number in range(args.steps):
        data_term, physics_term = inversion.step(number, args.points)
        if number % 20 == 0:
            w = inversion.weights
            print(f"{number:4d}  data {data_term:.4f} (w {w.data:.2f})  physics {physics_term:.4f} (w {w.physics:.2f})")


if __name__ == "__main__":
    main()
