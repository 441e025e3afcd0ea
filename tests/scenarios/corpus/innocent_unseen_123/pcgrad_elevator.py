# gradwatch-corpus: kind=none
"""Elevator scheduling surrogate, three objectives, gradient surgery: one graph, one backward per objective."""
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(150)
random.seed(1)


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Sequential(nn.Linear(6, 20), nn.Tanh())
        self.outs = nn.Linear(20, 3)

    def forward(self, calls):
        return self.outs(self.lift(calls))


class Surgeon:
    def __init__(self, params, opt):
        self.params, self.opt = list(params), opt

    def flat(self):
        return torch.cat([p.grad.reshape(-1) for p in self.params])

    def collect(self, objectives):
        rows = []
        final = len(objectives) - 1
        for i, obj in enumerate(objectives):
            self.opt.zero_grad()
            obj.backward(retain_graph=i < final)
            rows.append(self.flat())
        return rows

    def operate(self, rows):
        cured = []
        for i, g in enumerate(rows):
            g = g.clone()
            for o in random.sample(rows, len(rows)):
                dot = torch.dot(g, o)
                if dot < 0:
                    g -= dot / o.square().sum().clamp(min=1e-12) * o
            cured.append(g)
        return torch.stack(cured).sum(0)

    def step(self, objectives):
        merged = self.operate(self.collect(objectives))
        at = 0
        for p in self.params:
            p.grad = merged[at : at + p.numel()].view_as(p)
            at += p.numel()
        self.opt.step()


net = Surrogate()
surgeon = Surgeon(net.parameters(), torch.optim.Adam(net.parameters(), lr=3e-3))
for n in range(1, 901):
    calls = torch.rand(24, 6)
    wait, energy, crowd = calls[:, :3].sum(1), -calls[:, 0] + calls[:, 3], calls.prod(1) * 20
    out = net(calls)
    objectives = [(out[:, j] - t).square().mean() for j, t in enumerate((wait, energy, crowd))]
    surgeon.step(objectives)
    if n % 225 == 0:
        print(n, [round(o.item(), 4) for o in objectives])
