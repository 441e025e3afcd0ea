# gradwatch-corpus: kind=none
"""Physics-informed fit of Burgers' equation: Adam first, then L-BFGS with a closure."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(9)


class Field(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t, x):
        return self.net(torch.cat([t, x], dim=1))


def d(u, v):
    return torch.autograd.grad(u, v, torch.ones_like(u), create_graph=True)[0]


class BurgersProblem:
    def __init__(self, interior=80, boundary=24, viscosity=0.05):
        self.viscosity = viscosity
        self.t = torch.rand(interior, 1, requires_grad=True)
        self.x = (2 * torch.rand(interior, 1) - 1).requires_grad_()
        self.x0 = torch.linspace(-1, 1, boundary).view(-1, 1)
        self.tb = torch.rand(boundary, 1)
        self.terms = {}

    def loss(self, field):
        u = field(self.t, self.x)
        u_x = d(u, self.x)
        residual = d(u, self.t) + u * u_x - self.viscosity * d(u_x, self.x)
        start = field(torch.zeros_like(self.x0), self.x0) + torch.sin(math.pi * self.x0)
        walls = torch.cat([field(self.tb, torch.full_like(self.tb, s)) for s in (-1.0, 1.0)])
        parts = {"pde": residual.pow(2).mean(), "initial": start.pow(2).mean(), "walls": walls.pow(2).mean()}
        self.terms = {k: v.item() for k, v in parts.items()}
        return sum(parts.values())


def refine(field, problem, steps):
    optimizer = torch.optim.LBFGS(field.parameters(), lr=0.8, max_iter=3, history_size=12, line_search_fn="strong_wolfe")
    evaluations = []

    def closure():
        optimizer.zero_grad()
        loss = problem.loss(field)
        loss.backward()
        evaluations.append(loss.item())
        return loss

    for step in range(steps):
        before = optimizer.step(closure)
        if step % 20 == 0:
            print(f"lbfgs {step:3d} loss {float(before.detach()):.5f} evaluations {len(evaluations)}")


def main():
    field, problem = Field(), BurgersProblem()
    adam = torch.optim.Adam(field.parameters(), lr=5e-3)
    for step in range(60):
        adam.zero_grad()
        loss = problem.loss(field)
        loss.backward()
        adam.step()
    print("after adam", problem.terms)
    refine(field, problem, 60)
    print("after lbfgs", problem.terms)


if __name__ == "__main__":
    main()
