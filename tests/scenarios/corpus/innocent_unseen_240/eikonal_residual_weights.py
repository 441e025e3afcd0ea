# gradwatch-corpus: kind=none
"""Physics-informed travel times: |grad T| = 1/c(x), T(source) = 0.

The two loss terms are balanced by the ratio of their gradient norms, which
needs separate gradients of one shared graph on each rebalancing step.
"""
import math

import torch
from torch.func import functional_call, grad, vmap

torch.manual_seed(71)
SOURCE = torch.tensor([0.3, 0.4])


class Siren(torch.nn.Module):
    def __init__(self, width=32, depth=3, omega=5.0):
        super().__init__()
        self.omega = omega
        dims = [2] + [width] * depth
        self.body = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.head = torch.nn.Linear(width, 1)
        for lin in self.body:
            bound = math.sqrt(6.0 / lin.in_features) / omega
            torch.nn.init.uniform_(lin.weight, -bound, bound)

    def forward(self, x):
        for lin in self.body:
            x = torch.sin(self.omega * lin(x))
        return self.head(x).squeeze(-1)


def slowness(x):
    return 1.0 / (1.0 + 0.5 * x[..., 1] + 0.2 * torch.sin(4.0 * x[..., 0]))


net = Siren()
params = dict(net.named_parameters())


def tau(p, x):
    r = torch.sqrt(((x - SOURCE) ** 2).sum(-1) + 1e-8)
    return r * (1.0 + 0.5 * torch.tanh(functional_call(net, p, (x,))))


slope = vmap(grad(tau, argnums=1), in_dims=(None, 0))


def interior(p, x):
    g = slope(p, x)
    return ((g.norm(dim=-1) - slowness(x)) ** 2).mean()


def picks(p, x, t):
    return ((tau(p, x) - t) ** 2).mean()


def straight_ray(x, n=16):
    s = torch.linspace(0.0, 1.0, n)
    pts = SOURCE + s[:, None, None] * (x - SOURCE)
    return slowness(pts).mean(0) * (x - SOURCE).norm(dim=-1)


def norm(grads):
    return torch.sqrt(sum((g ** 2).sum() for g in grads))


opt = torch.optim.Adam(net.parameters(), lr=1e-3)
stations = torch.rand(12, 2)
times = straight_ray(stations)
balance = torch.ones(())

for it in range(120):
    x = torch.rand(128, 2)
    res = interior(params, x)
    fit = picks(params, stations, times)
    leaves = list(params.values())
    if it % 10 == 0:
        g_res = torch.autograd.grad(res, leaves, retain_graph=True)
        g_fit = torch.autograd.grad(fit, leaves, retain_graph=True)
        ratio = norm(g_res) / (norm(g_fit) + 1e-8)
        balance = 0.9 * balance + 0.1 * ratio.clamp(max=10.0)
    opt.zero_grad()
    (res + balance * fit).backward()
    opt.step()
    if it % 20 == 0:
        print(f"{it:3d} eikonal {res.item():.4f} picks {fit.item():.5f} weight {balance.item():.3f}")
