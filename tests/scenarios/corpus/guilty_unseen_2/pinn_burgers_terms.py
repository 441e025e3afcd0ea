# gradwatch-corpus: kind=graph-held
# holder: curve | terms | t
# first-bad: 1
"""PINN for viscous Burgers. Terms of the loss are kept apart for the plot at the end."""
from collections import namedtuple
import torch

Terms = namedtuple("Terms", "pde ic bc")
nu = 0.05
torch.manual_seed(2)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [torch.nn.Linear(a, b), torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


u_net = mlp(2, 20, 20, 1)


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = u_net(torch.cat([x, t], 1))
    u_x, u_t = grad(u, x), grad(u, t)
    return u_t + u * u_x - nu * grad(u_x, x)


def terms(n=64):
    x, t = torch.rand(n, 1) * 2 - 1, torch.rand(n, 1)
    pde = residual(x, t).pow(2).mean()
    x0 = torch.rand(n, 1) * 2 - 1
    ic = (u_net(torch.cat([x0, torch.zeros_like(x0)], 1)) + torch.sin(torch.pi * x0)).pow(2).mean()
    tb = torch.rand(n, 1)
    bc = sum(u_net(torch.cat([torch.full_like(tb, s), tb], 1)).pow(2).mean() for s in (-1.0, 1.0))
    return Terms(pde, ic, bc)


opt = torch.optim.Adam(u_net.parameters(), lr=2e-3)
curve = []
for it in range(160):
    t = terms()
    loss = t.pde + 5 * t.ic + t.bc
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(t)  # <- culprit
    if it % 40 == 0:
        print(it, " ".join(f"{k}={v.item():.4f}" for k, v in t._asdict().items()))

print("final:", [sum(float(getattr(c, f)) for c in curve[-20:]) / 20 for f in Terms._fields])
