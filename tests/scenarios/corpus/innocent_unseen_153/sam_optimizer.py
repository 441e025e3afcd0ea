# gradwatch-corpus: kind=none
"""Sharpness-aware minimization, two passes per step."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(56)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self):
        scale = self.defaults["rho"] / (self._norm() + 1e-12)
        for g in self.param_groups:
            for p in g["params"]:
                self.state[p]["old"] = p.data.clone()
                p.add_(p.grad * scale)
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.data = self.state[p]["old"]
        self.base.step()
        self.zero_grad()

    def _norm(self):
        return torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()

    def step(self, closure=None):
        raise NotImplementedError


def spirals(n):
    t = torch.rand(n) * 3 + 0.3
    y = torch.randint(0, 2, (n,))
    a = 3 * t + 3.1416 * y
    return torch.stack([t * a.cos(), t * a.sin()], 1) + 0.05 * torch.randn(n, 2), y


net = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9)
gap = []
for it in range(100):
    x, y = spirals(64)
    first = F.cross_entropy(net(x), y)
    first.backward()
    opt.first_step()
    second = F.cross_entropy(net(x), y)
    second.backward()
    opt.second_step()
    gap.append(second.item() - first.item())
    if it % 25 == 0:
        print(it, "loss %.3f sharpness %.4f" % (first.item(), gap[-1]))
