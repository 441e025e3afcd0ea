# gradwatch-corpus: kind=graph-held
# holder: recorder.logdets[name] | self.logdets[name] | self.logdets | recorder.logdets
# first-bad: 1
"""RealNVP on two moons, with per-layer log-det statistics through forward hooks."""
import math

import torch
from torch import nn

LAYERS = {}


def register(name):
    def deco(cls):
        LAYERS[name] = cls
        return cls
    return deco


@register("affine")
class AffineCoupling(nn.Module):
    def __init__(self, flip, hidden=24):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        out = torch.cat([b, a] if self.flip else [a, b], dim=1)
        return out, s.squeeze(1)


@register("actnorm")
class ActNorm(nn.Module):
    def __init__(self, dim=2):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return (x + self.loc) * self.log_scale.exp(), self.log_scale.sum().expand(x.shape[0])


class Flow(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.steps = nn.ModuleList(LAYERS[kind](**kw) for kind, kw in spec)

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for step in self.steps:
            x, ld = step(x)
            total = total + ld
        base = -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi)
        return base + total


class LogDetRecorder:
    def __init__(self, flow):
        self.logdets = {}
        self.handles = []
        for i, step in enumerate(flow.steps):
            name = f"{i}.{type(step).__name__}"
            self.logdets[name] = []
            self.handles.append(step.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def hook(module, inputs, output):
            _, ld = output
            self.logdets[name].append(ld.mean())  # <- culprit
        return hook

    def table(self):
        return " ".join(f"{k}={float(v[-1]):+.3f}" for k, v in self.logdets.items())

    def close(self):
        for h in self.handles:
            h.remove()


def moons(n, g):
    t = torch.rand(n, generator=g) * math.pi
    side = torch.rand(n, generator=g) < 0.5
    x = torch.where(side, t.cos(), 1 - t.cos())
    y = torch.where(side, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2, generator=g)


if __name__ == "__main__":
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    spec = [("actnorm", {}), ("affine", {"flip": False}), ("affine", {"flip": True}),
            ("affine", {"flip": False}), ("affine", {"flip": True})]
    flow = Flow(spec)
    recorder = LogDetRecorder(flow)
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    for it in range(500):
        nll = -flow.log_prob(moons(64, gen)).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        if it % 100 == 0:
            print(it, f"{nll.item():.3f}", recorder.table(), flush=True)
    recorder.close()
