# gradwatch-corpus: kind=graph-held
# holder: history | history["ode"] | history["ic"] | track.history
# first-bad: 1
"""Damped harmonic oscillator with a physics-informed network (LBFGS).

u'' + mu u' + k u = 0,  u(0) = 1, u'(0) = 0
"""
import math
from collections import defaultdict

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(123)

d, w0 = 2.0, 12.0
mu, k = 2 * d, w0 ** 2


class FCN(nn.Module):
    def __init__(self, n_in, n_out, n_hidden, n_layers):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(n_in, n_hidden), nn.Tanh())
        self.mid = nn.Sequential(*[nn.Sequential(nn.Linear(n_hidden, n_hidden), nn.Tanh())
                                   for _ in range(n_layers - 1)])
        self.last = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        return self.last(self.mid(self.first(x)))


def exact(t):
    w = math.sqrt(w0 ** 2 - d ** 2)
    phi = math.atan(-d / w)
    A = 1 / (2 * math.cos(phi))
    return torch.exp(-d * t) * 2 * A * torch.cos(phi + w * t)


def ddt(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def make_closure(net, opt, t_ic, t_phys):
    history = defaultdict(list)

    def track(**terms):
        for name, v in terms.items():
            history[name].append(v)  # <- culprit

    def closure():
        opt.zero_grad()
        u0 = net(t_ic)
        ic = (u0 - 1).pow(2).mean() + 1e-2 * ddt(u0, t_ic).pow(2).mean()
        u = net(t_phys)
        du = ddt(u, t_phys)
        ddu = ddt(du, t_phys)
        ode = (ddu + mu * du + k * u).pow(2).mean()
        loss = ic + 1e-4 * ode
        loss.backward()
        track(ic=ic, ode=ode)  # <- culprit
        return loss

    return closure, history


def main():
    net = FCN(1, 1, 24, 3)
    t_ic = torch.zeros(1, 1, requires_grad=True)
    t_phys = torch.linspace(0, 1, 30).view(-1, 1).requires_grad_(True)
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=1, history_size=20)
    closure, history = make_closure(net, opt, t_ic, t_phys)

    for epoch in range(150):
        loss = opt.step(closure)
        if epoch % 30 == 0:
            print(f"epoch {epoch:3d} loss {loss.item():.3e} "
                  f"ic {history['ic'][-1].item():.3e} ode {history['ode'][-1].item():.3e}")

    t = torch.linspace(0, 1, 200).view(-1, 1)
    with torch.no_grad():
        err = (net(t) - exact(t)).abs().max().item()
    best = min(range(len(history["ode"])), key=lambda i: float(history["ode"][i]))
    print("max err", err, "best residual at call", best)


if __name__ == "__main__":
    main()
