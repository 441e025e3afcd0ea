# gradwatch-corpus: kind=none
"""Physics-informed network for viscous Burgers with self-adaptive weights on the loss terms."""
import math

import torch

torch.manual_seed(3)
NU = 0.05


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


def d(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


def residual(u, t, x):
    uu = u(torch.cat([t, x], 1))
    u_t, u_x = d(uu, t), d(uu, x)
    return u_t + uu * u_x - NU * d(u_x, x)


def interior(n):
    t = torch.rand(n, 1, requires_grad=True)
    x = (2 * torch.rand(n, 1) - 1).requires_grad_()
    return t, x


def initial(n):
    x = 2 * torch.rand(n, 1) - 1
    return torch.cat([torch.zeros_like(x), x], 1), -torch.sin(math.pi * x)


def walls(n):
    t = torch.rand(n, 1)
    side = torch.where(torch.rand(n, 1) < 0.5, -1.0, 1.0)
    return torch.cat([t, side], 1)


def balance(net, losses, weights, alpha=0.9):
    """Weights from the ratio of gradient norms of the terms at the last layer."""
    last = net[-1].weight
    norms = {}
    for name, value in losses.items():
        (g,) = torch.autograd.grad(value, last, retain_graph=True)
        norms[name] = g.norm().item() + 1e-8
    top = max(norms.values())
    return {k: alpha * weights[k] + (1 - alpha) * min(top / norms[k], 20.0) for k in losses}


net = mlp([2, 24, 24, 1])
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
weights = {"pde": 1.0, "ic": 1.0, "bc": 1.0}
history = []

for it in range(500):
    t, x = interior(64)
    x0, u0 = initial(32)
    losses = {
        "pde": residual(net, t, x).pow(2).mean(),
        "ic": (net(x0) - u0).pow(2).mean(),
        "bc": net(walls(16)).pow(2).mean(),
    }
    if it % 10 == 0:
        weights = balance(net, losses, weights)
    total = sum(weights[k] * v for k, v in losses.items())
    opt.zero_grad()
    total.backward()
    opt.step()
    history.append(tuple(v.item() for v in losses.values()))
    if it % 100 == 99:
        recent = history[-50:]
        print(it + 1, [round(sum(c) / len(recent), 4) for c in zip(*recent)],
              {k: round(w, 2) for k, w in weights.items()})
