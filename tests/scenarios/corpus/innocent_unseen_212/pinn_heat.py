# gradwatch-corpus: kind=none
"""PINN for u_t = nu u_xx with learned diffusivity and a cache of collocation points renewed now and then."""
import math

import torch
from torch import nn


class PINN(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_nu = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Collocation:
    def __init__(self, n, renew):
        self.n, self.renew = n, renew
        self.points = None

    def get(self, it):
        if it % self.renew == 0:
            self.points = torch.rand(self.n, 2)
        x = self.points[:, :1].clone().requires_grad_(True)
        t = self.points[:, 1:].clone().requires_grad_(True)
        return x, t


def residual(model, x, t):
    u = model(x, t)
    u_t, u_x = d(u, t), d(u, x)
    u_xx = d(u_x, x)
    return u_t - model.log_nu.exp() * u_xx


def exact(x, t, nu=0.1):
    return torch.exp(-nu * math.pi ** 2 * t) * torch.sin(math.pi * x)


def main():
    torch.manual_seed(6)
    model = PINN()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    colloc = Collocation(256, renew=25)
    xd, td = torch.rand(128, 1), torch.rand(128, 1)
    ud = exact(xd, td)
    log = {"pde": [], "data": []}
    for it in range(150):
        x, t = colloc.get(it)
        terms = {"pde": residual(model, x, t).pow(2).mean(), "data": (model(xd, td) - ud).pow(2).mean()}
        opt.zero_grad()
        (terms["data"] + 0.1 * terms["pde"]).backward()
        opt.step()
        for k, v in terms.items():
            log[k].append(v.item())
        if it % 30 == 0:
            print(it, {k: round(v[-1], 5) for k, v in log.items()}, f"nu {model.log_nu.exp().item():.3f}")


if __name__ == "__main__":
    main()
