# gradwatch-corpus: kind=none
"""u'' + k^2 u = f on [0, 1] with an inverse problem for k; L-BFGS rounds on resampled points."""
import math
import torch
from torch import nn
torch.set_num_threads(1)
torch.manual_seed(2)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(1, 14), nn.Tanh(), nn.Linear(14, 14), nn.Tanh(), nn.Linear(14, 1))
        self.k = nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return self.f(x) * x * (1 - x)


def derivs(u, x, order):
    for _ in range(order):
        u = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    return u


class Problem:
    def __init__(self):
        self.field = Field()
        self.obs_x = torch.linspace(0.1, 0.9, 9)[:, None]
        self.obs_u = torch.sin(math.pi * self.obs_x)
        self.resample()
        self.parts = {}
        self.evals = 0

    def resample(self):
        self.x = torch.rand(20, 1).requires_grad_()

    def closure(self):
        opt.zero_grad()
        u = self.field(self.x)
        f = (4.0 - math.pi ** 2) * torch.sin(math.pi * self.x)
        pde = (derivs(u, self.x, 2) + self.field.k ** 2 * u - f).pow(2).mean()
        data = (self.field(self.obs_x) - self.obs_u).pow(2).mean()
        self.parts = {"pde": pde, "data": data}
        total = pde + 50 * data
        total.backward()
        self.evals += 1
        return total


problem = Problem()
opt = torch.optim.LBFGS(problem.field.parameters(), lr=0.3, max_iter=3, history_size=8)
best, kept = float("inf"), None
for rnd in range(420):
    if rnd % 5 == 0:
        problem.resample()
    loss = opt.step(problem.closure)
    if loss.item() < best:
        best, kept = loss.item(), {k: v.detach().clone() for k, v in problem.field.state_dict().items()}
    if rnd % 100 == 0:
        print(rnd, {k: f"{v.item():.2e}" for k, v in problem.parts.items()}, "k", problem.field.k.item())
print("evals", problem.evals, "best", best, "k", kept["k"].item())
