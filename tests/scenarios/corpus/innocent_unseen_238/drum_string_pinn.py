# gradwatch-corpus: kind=none
# plucked string as a PINN: u_tt = c^2 u_xx. keeps adaptive weights and a bank of hard points
import math

import torch
import torch.nn as nn

torch.manual_seed(60)

C2 = 0.8
N = 56
STEPS = 90


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(2.0 * x)


class StringSolver:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(2, 30), Sine(), nn.Linear(30, 30), Sine(), nn.Linear(30, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.hard_points = torch.rand(12, 2)
        self.balance = {"wave": 1.0, "ends": 1.0, "pluck": 1.0}
        self.trail = {"wave": [], "ends": [], "pluck": []}
        self.last_residual = None

    def u(self, xt):
        return self.net(xt)

    def residual(self, xt):
        xt = xt.clone().requires_grad_(True)
        u = self.u(xt)
        first = torch.autograd.grad(u.sum(), xt, create_graph=True)[0]
        u_xx = torch.autograd.grad(first[:, 0].sum(), xt, create_graph=True)[0][:, 0]
        u_tt = torch.autograd.grad(first[:, 1].sum(), xt, create_graph=True)[0][:, 1]
        return u_tt - C2 * u_xx

    def start_parts(self):
        x = torch.rand(N // 2, 1)
        xt = torch.cat([x, torch.zeros_like(x)], 1).requires_grad_(True)
        u = self.u(xt)
        speed = torch.autograd.grad(u.sum(), xt, create_graph=True)[0][:, 1]
        return ((u - torch.sin(math.pi * x)) ** 2).mean() + 0.1 * (speed ** 2).mean()

    def end_parts(self):
        t = torch.rand(N // 2, 1)
        left = self.u(torch.cat([torch.zeros_like(t), t], 1))
        right = self.u(torch.cat([torch.ones_like(t), t], 1))
        return (left ** 2).mean() + (right ** 2).mean()

    def rebalance(self, parts):
        last = list(self.net.parameters())[-2]
        sizes = {}
        for name, value in parts.items():
            g = torch.autograd.grad(value, last, retain_graph=True)[0]
            sizes[name] = g.abs().mean().item()
        top = max(sizes.values())
        for name, s in sizes.items():
            want = min(top / (s + 1e-6), 20.0)
            self.balance[name] = 0.9 * self.balance[name] + 0.1 * want

    def keep_hard(self, xt, res):
        worst = res.detach().abs().topk(12).indices
        self.hard_points = xt[worst].clone()
        self.last_residual = res.detach()

    def step(self, n):
        xt = torch.cat([torch.rand(N, 2), self.hard_points])
        res = self.residual(xt)
        parts = {"wave": (res ** 2).mean(), "ends": self.end_parts(), "pluck": self.start_parts()}
        if n % 10 == 0:
            self.rebalance(parts)
        loss = sum(self.balance[k] * v for k, v in parts.items())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.keep_hard(xt, res)
        for k, v in parts.items():
            self.trail[k].append(v.item())


solver = StringSolver()
for n in range(STEPS):
    solver.step(n)
    if n % 18 == 0:
        print(n, " ".join(f"{k}={v[-1]:.4f}" for k, v in solver.trail.items()), "max|r| %.3f" % solver.last_residual.abs().max())

with torch.no_grad():
    x = torch.linspace(0, 1, 11).unsqueeze(1)
    late = solver.u(torch.cat([x, torch.full_like(x, 0.5)], 1)).squeeze(1)
print("string at t=0.5:", [round(v, 2) for v in late.tolist()])
