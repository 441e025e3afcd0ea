# gradwatch-corpus: kind=graph-held
# holder: logdets | logdets[name]
# first-bad: 1
"""RealNVP on two moons, with per-layer log-det statistics."""
import math

import torch
import torch.nn as nn

torch.manual_seed(21)


def moons(n):
    t = math.pi * torch.rand(n)
    up = torch.rand(n) < 0.5
    x = torch.where(up, t.cos(), 1 - t.cos())
    y = torch.where(up, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.06 * torch.randn(n, 2)


class Coupling(nn.Module):
    def __init__(self, flip, hidden=48):
        super().__init__()
        self.flip = flip
        self.st = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(),
                                nn.Linear(hidden, hidden), nn.Tanh(),
                                nn.Linear(hidden, 2))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.st(a).chunk(2, dim=1)
        s = self.scale * torch.tanh(s)
        b = b * s.exp() + t
        y = torch.cat([b, a] if self.flip else [a, b], dim=1)
        return y, s.sum(1)


class Flow(nn.Module):
    def __init__(self, n_layers=6):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(n_layers))
        self.register_buffer("loc", torch.zeros(2))
        self.register_buffer("std", torch.ones(2))

    def log_prob(self, x):
        total = x.new_zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        base = torch.distributions.Normal(self.loc, self.std)
        return base.log_prob(x).sum(1) + total


logdets = {}


def watch(name):
    logdets[name] = []

    def hook(module, inputs, outputs):
        logdets[name].append(outputs[1].mean())  # <- culprit

    return hook


flow = Flow()
for i, layer in enumerate(flow.layers):
    layer.register_forward_hook(watch("layer%d" % i))

opt = torch.optim.AdamW(flow.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-3, total_steps=150)

for it in range(150):
    nll = -flow.log_prob(moons(256)).mean()
    opt.zero_grad(set_to_none=True)
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if it % 50 == 49:
        stats = " ".join("%s=%.2f" % (k, sum(v[-50:]).item() / 50) for k, v in logdets.items())
        print("it", it + 1, "nll %.3f" % nll.item(), stats)
