# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Physics-informed network for the 1-D heat equation u_t = a u_xx with zero walls and a sine start profile,
checked against the closed form."""
import math

import torch
from torch import nn
from torch.autograd import grad

ALPHA = 0.1


class Field(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.head = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for layer in self.layers:
            h = torch.tanh(layer(h))
        return self.head(h)


class HeatProblem:
    """Sampling of collocation points and the three residuals."""

    def __init__(self, n_inside=96, n_edge=32, seed=0):
        self.n_inside, self.n_edge = n_inside, n_edge
        self.rng = torch.Generator().manual_seed(seed)

    def _uniform(self, n):
        return torch.rand(n, 1, generator=self.rng)

    @staticmethod
    def exact(x, t):
        return torch.exp(-ALPHA * math.pi ** 2 * t) * torch.sin(math.pi * x)

    def residual(self, u):
        x = self._uniform(self.n_inside).requires_grad_()
        t = self._uniform(self.n_inside).requires_grad_()
        value = u(x, t)
        u_x, u_t = grad(value.sum(), (x, t), create_graph=True)
        u_xx, = grad(u_x.sum(), x, create_graph=True)
        return (u_t - ALPHA * u_xx).pow(2).mean()

    def initial(self, u):
        x = self._uniform(self.n_edge)
        t = torch.zeros_like(x)
        return (u(x, t) - self.exact(x, t)).pow(2).mean()

    def walls(self, u):
        t = self._uniform(self.n_edge)
        side = (self._uniform(self.n_edge) > 0.5).float()
        return u(side, t).pow(2).mean()

    def loss(self, u):
        return self.residual(u) + 10.0 * self.initial(u) + 10.0 * self.walls(u)


def relative_error(u, n=40):
    axis = torch.linspace(0, 1, n)
    x, t = (g.reshape(-1, 1) for g in torch.meshgrid(axis, axis, indexing="ij"))
    with torch.no_grad():
        truth = HeatProblem.exact(x, t)
        return ((u(x, t) - truth).norm() / truth.norm()).item()


def solve(iterations=300, lr=4e-3):
    torch.manual_seed(5)
    u, problem = Field(), HeatProblem(seed=6)
    optimizer = torch.optim.Adam(u.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.997)
    for i in range(iterations):
        optimizer.zero_grad()
        loss = problem.loss(u)
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        schedule.step()
        if i % 75 == 0:
            print(f"iter {i:4d}  loss {loss.item():.5f}  rel. error {relative_error(u):.3f}")
    print(f"done, rel. error {relative_error(u):.3f}")


if __name__ == "__main__":
    solve()
