# gradwatch-corpus: kind=none
"""Sharpness-aware minimisation: two forward/backward passes per update."""
import contextlib
import torch
from torch import nn


class SAM:
    def __init__(self, base, rho=0.05):
        self.base, self.rho = base, rho
        self.params = [p for g in base.param_groups for p in g["params"]]

    @contextlib.contextmanager
    def perturbed(self):
        with torch.no_grad():
            norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
            eps = [p.grad * (self.rho / norm) for p in self.params]
            for p, e in zip(self.params, eps):
                p.add_(e)
        self.base.zero_grad()
        try:
            yield norm.item()
        finally:
            with torch.no_grad():
                for p, e in zip(self.params, eps):
                    p.sub_(e)


torch.manual_seed(37)
net = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
sam = SAM(opt)
mu = torch.randn(3, 6)
gap = []
for i in range(140):
    y = torch.randint(0, 3, (32,))
    x = mu[y] + torch.randn(32, 6)
    opt.zero_grad()
    first = nn.functional.cross_entropy(net(x), y)
    first.backward()
    with sam.perturbed() as gn:
        second = nn.functional.cross_entropy(net(x), y)
        second.backward()
    opt.step()
    gap.append((second - first).detach())
    if len(gap) == 35:
        print(i + 1, "%.4f" % first.item(), "sharpness %.5f" % torch.stack(gap).mean(), "gn %.3f" % gn)
        gap = []
