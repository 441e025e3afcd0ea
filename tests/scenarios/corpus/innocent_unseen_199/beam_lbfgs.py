# gradwatch-corpus: kind=none
"""Physics-informed net for u'' + u = f, refitted with L-BFGS on moving collocation points."""
import torch
from torch import nn


class Solution(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return t * (1 - t) * self.body(t)


def d(out, t):
    return torch.autograd.grad(out.sum(), t, create_graph=True)[0]


class Problem:
    def __init__(self, model, seed):
        self.model = model
        self.gen = torch.Generator().manual_seed(seed)
        self.parts = {}
        self.calls = 0
        self.stiffness = nn.Parameter(torch.tensor(0.3))
        self.sensors = torch.linspace(0.1, 0.9, 6).unsqueeze(1)
        self.readings = self.exact(self.sensors)

    @staticmethod
    def exact(t):
        return torch.sin(3.14159265 * t)

    def resample(self):
        self.points = torch.rand(24, 1, generator=self.gen)

    def objective(self):
        t = self.points.clone().requires_grad_()
        u = self.model(t)
        force = (1 - 3.14159265 ** 2) * self.exact(t.detach())
        residual = d(d(u, t), t) + self.stiffness * u - force
        self.parts = {
            "pde": residual.square().mean(),
            "data": (self.model(self.sensors) - self.readings).square().mean(),
        }
        return self.parts["pde"] + 20 * self.parts["data"]


def fit(problem, opt, iterations):
    record = []

    def closure():
        opt.zero_grad()
        total = problem.objective()
        total.backward()
        problem.calls += 1
        return total

    for it in range(iterations):
        if it % 5 == 0:
            problem.resample()
        before = opt.step(closure)
        record.append([float(before), *(float(v) for v in problem.parts.values())])
        if it % 80 == 79:
            print(it + 1, record[-1], problem.calls, problem.stiffness.item())
    return record


if __name__ == "__main__":
    torch.manual_seed(31)
    model = Solution()
    problem = Problem(model, 32)
    optimizer = torch.optim.LBFGS([*model.parameters(), problem.stiffness], lr=0.3, max_iter=2, history_size=15)
    curve = fit(problem, optimizer, 420)
    print(min(row[0] for row in curve))
