# gradwatch-corpus: kind=none
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(118)
random.seed(1)


class Surgery:
    """Projects away the conflicting part of each task's gradient."""

    def __init__(self, opt):
        self.opt = opt
        self.params = [p for g in opt.param_groups for p in g["params"]]
        self.conflicts = 0

    def _collect(self, losses):
        grads = []
        for loss in losses:
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            grads.append(torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten()
                                    for p in self.params]))
        return grads

    def _project(self, grads):
        out = []
        for i, g in enumerate(grads):
            g = g.clone()
            for j in random.sample(range(len(grads)), len(grads)):
                if j != i and (d := g @ grads[j]) < 0:
                    g -= d / grads[j].square().sum() * grads[j]
                    self.conflicts += 1
            out.append(g)
        return torch.stack(out).sum(0)

    def step(self, losses):
        flat = self._project(self._collect(losses))
        at = 0
        for p in self.params:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


class Rally(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(8, 24), nn.ReLU())
        self.heads = nn.ModuleDict(heads)

    def forward(self, x):
        z = self.shared(x)
        return {k: h(z) for k, h in self.heads.items()}


class Points:
    def __init__(self):
        self.losses = {"winner": lambda o, y: F.cross_entropy(o, y["winner"]),
                       "length": lambda o, y: F.poisson_nll_loss(o.squeeze(1), y["length"]),
                       "speed": lambda o, y: F.mse_loss(o.squeeze(1), y["speed"])}

    def draw(self, n=24):
        x = torch.randn(n, 8)
        return x, {"winner": (x[:, 0] > x[:, 1]).long(), "length": (x[:, 2].abs() * 3).round(), "speed": x[:, 3] - x[:, 0]}


net = Rally({"winner": nn.Linear(24, 2), "length": nn.Linear(24, 1), "speed": nn.Linear(24, 1)})
surgeon, points = Surgery(torch.optim.Adam(net.parameters(), lr=2e-3)), Points()
history = {k: [] for k in points.losses}
for _ in range(550):
    x, y = points.draw()
    out = net(x)
    losses = {k: f(out[k], y) for k, f in points.losses.items()}
    surgeon.step(list(losses.values()))
    for k, v in losses.items():
        history[k].append(float(v.detach()))
print(surgeon.conflicts, {k: round(v[-1], 3) for k, v in history.items()})
