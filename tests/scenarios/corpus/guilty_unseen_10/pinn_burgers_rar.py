# gradwatch-corpus: kind=graph-held
# holder: self.score | sampler.score
# first-bad: 1
"""Viscous Burgers equation with a tanh PINN; collocation points are drawn in proportion to their last known residual
(after the RAD scheme of Wu et al.), everything in one file so that the reviewers can run it."""
import math
import time

import torch
import torch.nn as nn
from torch.autograd import grad

torch.manual_seed(1234)
torch.set_num_threads(1)

NU = 0.01 / math.pi
N_POOL = 3000
N_COL = 96
N_BC = 32
ITERS = 350


class PINN(nn.Module):
    def __init__(self, layers=(2, 24, 24, 24, 1)):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:]))
        for lin in self.linears:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for lin in self.linears[:-1]:
            h = torch.tanh(lin(h))
        return self.linears[-1](h)


class ResidualSampler:
    """A fixed pool of candidates and a score for each."""

    def __init__(self, n, k=1.0, floor=0.05):
        self.x = torch.rand(n, 1) * 2 - 1
        self.t = torch.rand(n, 1)
        self.score = torch.ones(n)
        self.k, self.floor = k, floor

    def draw(self, m):
        p = self.score.pow(self.k)
        p = p / p.mean() + self.floor
        idx = torch.multinomial(p, m, replacement=False)
        return idx, self.x[idx].requires_grad_(), self.t[idx].requires_grad_()

    def feedback(self, idx, res):
        self.score[idx] = res.abs().squeeze(1)  # <- culprit


def ones_grad(y, x):
    return grad(y, x, torch.ones_like(y), create_graph=True)[0]


def burgers_residual(net, x, t):
    u = net(x, t)
    u_x = ones_grad(u, x)
    u_t = ones_grad(u, t)
    u_xx = ones_grad(u_x, x)
    return u_t + u * u_x - NU * u_xx


def boundary_batch(m):
    x0 = torch.rand(m, 1) * 2 - 1
    t0 = torch.zeros(m, 1)
    u0 = -torch.sin(math.pi * x0)
    tb = torch.rand(m, 1)
    xb = torch.where(torch.rand(m, 1) < 0.5, -1.0, 1.0)
    return (x0, t0, u0), (xb, tb, torch.zeros(m, 1))


def objective(net, sampler):
    idx, x, t = sampler.draw(N_COL)
    res = burgers_residual(net, x, t)
    (x0, t0, u0), (xb, tb, ub) = boundary_batch(N_BC)
    l_f = res.pow(2).mean()
    l_0 = (net(x0, t0) - u0).pow(2).mean()
    l_b = (net(xb, tb) - ub).pow(2).mean()
    sampler.feedback(idx, res)
    return l_f + 10 * l_0 + 10 * l_b, (l_f.item(), l_0.item(), l_b.item())


net = PINN()
sampler = ResidualSampler(N_POOL)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.998)

tic = time.perf_counter()
for it in range(ITERS):
    opt.zero_grad()
    loss, parts = objective(net, sampler)
    loss.backward()
    opt.step()
    sched.step()
    if it % 70 == 0:
        top = sampler.score.topk(5).values.mean().item()
        print("it %4d  loss %.4e  (pde %.2e, ic %.2e, bc %.2e)  top residuals %.3f  %.1fs"
              % (it, loss.item(), *parts, top, time.perf_counter() - tic))

with torch.no_grad():
    xs = torch.linspace(-1, 1, 9).view(-1, 1)
    print("u(x, 0.5):", [round(v, 3) for v in net(xs, torch.full_like(xs, 0.5)).flatten().tolist()])
