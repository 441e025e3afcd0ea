# gradwatch-corpus: kind=none
"""PINN for viscous Burgers, seminar talk. Adam first, then L-BFGS to polish."""
import math

import torch
from torch import nn

NU = 0.05


class Net(nn.Module):
    def __init__(self, w=24, depth=3):
        super().__init__()
        dims = [2] + [w] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims[:-1], dims[1:]))
        self.last = nn.Linear(w, 1)

    def forward(self, x, t):
        h = torch.cat([x, t], 1)
        for l in self.hidden:
            h = torch.tanh(l(h))
        return self.last(h)


def d(f, v):
    return torch.autograd.grad(f, v, grad_outputs=torch.ones_like(f), create_graph=True)[0]


def residual(net, x, t):
    x = x.clone().requires_grad_(True)
    t = t.clone().requires_grad_(True)
    u = net(x, t)
    u_x, u_t = d(u, x), d(u, t)
    return u_t + u * u_x - NU * d(u_x, x)


class Problem:
    def __init__(self, n_col=256, n_ic=64, n_bc=32, seed=1):
        self.g = torch.Generator().manual_seed(seed)
        self.x0 = torch.linspace(-1, 1, n_ic)[:, None]
        self.u0 = -torch.sin(math.pi * self.x0)
        self.tb = torch.rand(n_bc, 1, generator=self.g)
        self.n_col = n_col
        self.resample()

    def resample(self):
        self.xc = 2 * torch.rand(self.n_col, 1, generator=self.g) - 1
        self.tc = torch.rand(self.n_col, 1, generator=self.g)

    def terms(self, net):
        pde = residual(net, self.xc, self.tc).pow(2).mean()
        ic = (net(self.x0, torch.zeros_like(self.x0)) - self.u0).pow(2).mean()
        one = torch.ones_like(self.tb)
        bc = net(one, self.tb).pow(2).mean() + net(-one, self.tb).pow(2).mean()
        return {"pde": pde, "ic": ic, "bc": bc}


def main():
    torch.manual_seed(1)
    net, prob = Net(), Problem()
    weights = {"pde": 1.0, "ic": 10.0, "bc": 10.0}
    history = {k: [] for k in weights}
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    for it in range(120):
        if it % 10 == 0:
            prob.resample()
        terms = prob.terms(net)
        loss = sum(weights[k] * v for k, v in terms.items())
        opt.zero_grad()
        loss.backward()
        opt.step()
        for k, v in terms.items():
            history[k].append(v.item())
    print("adam ", {k: round(v[-1], 4) for k, v in history.items()})

    lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=4, history_size=10, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        terms = prob.terms(net)
        loss = sum(weights[k] * v for k, v in terms.items())
        loss.backward()
        return loss

    for k in range(15):
        last = lbfgs.step(closure)
        if k % 5 == 4:
            print(f"lbfgs {k + 1}: {last.item():.4f}")


main()
