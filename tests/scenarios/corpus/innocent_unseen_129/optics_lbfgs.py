# gradwatch-corpus: kind=none
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(170)


class Evaluation(NamedTuple):
    value: torch.Tensor
    residual: torch.Tensor


class Objective:
    """Callable for the optimizer; keeps the evaluations of one outer step to pick the best."""

    def __init__(self, lens, opt):
        self.lens, self.opt = lens, opt
        self.evals = []

    def begin(self, rays, focus):
        self.evals.clear()
        self.rays, self.focus = rays, focus

    def __call__(self):
        self.opt.zero_grad()
        residual = self.lens(self.rays) - self.focus
        value = residual.square().mean() + 1e-3 * self.lens.curvature()
        value.backward()
        self.evals.append(Evaluation(value, residual))
        return value

    def best(self):
        return min(self.evals, key=lambda e: e.value.item())


class Lens(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Parameter(torch.zeros(4))
        self.back = nn.Parameter(torch.zeros(4))

    def forward(self, rays):
        powers = torch.stack([rays ** k for k in range(1, 5)], 1)
        mid = torch.sin(powers @ self.front)
        return mid + torch.stack([mid ** k for k in range(1, 5)], 1) @ self.back

    def curvature(self):
        return self.front.square().sum() + self.back.square().sum()


def benches():
    while True:
        rays = torch.rand(20) * 2 - 1
        yield rays, 0.7 * rays - 0.3 * rays ** 3


lens = Lens()
opt = torch.optim.LBFGS(lens.parameters(), lr=0.1, max_iter=4, history_size=5)
goal = Objective(lens, opt)
trail = []
for step, (rays, focus) in zip(range(450), benches()):
    goal.begin(rays, focus)
    opt.step(goal)
    trail.append(goal.best().value.item())
print(trail[0], trail[-1])
