# gradwatch-corpus: kind=second-backward
# first-bad: 10
"""PINN for u_t = nu u_xx with learned-rate annealing of the loss weights."""
import math

import torch
import torch.nn as nn

NU = 0.05


class Field(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, t, x):
        h = torch.cat([t, x], 1)
        for lin in self.hidden:
            h = torch.tanh(lin(h))
        return self.out(h)


def d(u, wrt):
    return torch.autograd.grad(u, wrt, torch.ones_like(u), create_graph=True)[0]


def residual_loss(net, n):
    t = torch.rand(n, 1, requires_grad=True)
    x = (2 * torch.rand(n, 1) - 1).requires_grad_()
    u = net(t, x)
    r = d(u, t) - NU * d(d(u, x), x)
    return r.pow(2).mean()


def boundary_loss(net, n):
    t = torch.rand(n, 1)
    return net(t, torch.ones_like(t)).pow(2).mean() + net(t, -torch.ones_like(t)).pow(2).mean()


def initial_loss(net, n):
    x = 2 * torch.rand(n, 1) - 1
    return (net(torch.zeros_like(x), x) + torch.sin(math.pi * x)).pow(2).mean()


class GradStatBalancer:
    """lambda_i <- (1-a) lambda_i + a * max|g_res| / mean|g_i|   (Wang et al.)"""

    def __init__(self, names, anchor, every=10, alpha=0.1):
        self.w = {n: 1.0 for n in names}
        self.anchor, self.every, self.alpha = anchor, every, alpha

    def due(self, it):
        return it > 0 and it % self.every == 0

    def refresh(self, losses, weights):
        stats = {}
        for name, value in losses.items():
            g = torch.autograd.grad(value, weights)  # <- culprit
            flat = torch.cat([p.reshape(-1) for p in g]).abs()
            stats[name] = (flat.max().item(), flat.mean().item())
        top = stats[self.anchor][0]
        for name in self.w:
            if name != self.anchor:
                target = top / (stats[name][1] + 1e-12)
                self.w[name] += self.alpha * (target - self.w[name])

    def combine(self, losses):
        return sum(self.w[n] * v for n, v in losses.items())


def train(iters=150):
    net = Field()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    bal = GradStatBalancer(["res", "bc", "ic"], anchor="res")
    shared = [lin.weight for lin in net.hidden]
    for it in range(iters):
        losses = {
            "res": residual_loss(net, 128),
            "bc": boundary_loss(net, 32),
            "ic": initial_loss(net, 64),
        }
        if bal.due(it):
            bal.refresh(losses, shared)
        total = bal.combine(losses)
        opt.zero_grad(set_to_none=True)
        total.backward()
        opt.step()
        if it % 25 == 0:
            print(it, {k: round(v.item(), 4) for k, v in losses.items()},
                  {k: round(v, 2) for k, v in bal.w.items()})


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
