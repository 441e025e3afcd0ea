# gradwatch-corpus: kind=graph-held
# holder: p.grad | net[0].weight.grad | w.grad | solver.net[0].weight.grad | self.net[0].weight.grad
# first-bad: 1
# notice: 8
"""Viscous Burgers equation as a physics-informed net, trained by a damped gradient flow."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)
NU = 0.05 / math.pi


def mlp(width):
    return nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def d(u, x):
    return torch.autograd.grad(u.sum(), x, create_graph=True)[0]


class Flow:
    def __init__(self, net, lr=5e-3, damping=0.1):
        self.net, self.lr, self.damping = net, lr, damping

    def clear(self):
        for p in self.net.parameters():
            if p.grad is not None:
                p.grad.data.zero_()  # <- culprit

    def sharpness(self):
        """Squared gradient norm, the damping signal."""
        return sum(p.grad.pow(2).sum() for p in self.net.parameters() if p.grad is not None)

    def advance(self, objective):
        self.clear()
        objective.backward(create_graph=True)  # <- culprit
        ps = [p for p in self.net.parameters() if p.grad is not None]
        g2 = self.sharpness()
        scale = 1.0 / (1.0 + self.damping * g2.item())
        for p in ps:
            p.data.add_(p.grad.data, alpha=-self.lr * scale)
        return scale


def objective(net, n=16):
    x = (torch.rand(n, 1) * 2 - 1).requires_grad_()
    t = torch.rand(n, 1).requires_grad_()
    u = net(torch.cat([x, t], 1))
    ux, ut = d(u, x), d(u, t)
    pde = (ut + u * ux - NU * d(ux, x)).pow(2).mean()
    x0 = torch.rand(n, 1) * 2 - 1
    ic = (net(torch.cat([x0, torch.zeros_like(x0)], 1)) + torch.sin(math.pi * x0)).pow(2).mean()
    return pde + 4 * ic


if __name__ == "__main__":
    solver = Flow(mlp(10))
    for k in range(200):
        obj = objective(solver.net)
        s = solver.advance(obj)
        if k % 40 == 0:
            print(f"{k:3d} objective {obj.item():.4f} step scale {s:.3f}")
