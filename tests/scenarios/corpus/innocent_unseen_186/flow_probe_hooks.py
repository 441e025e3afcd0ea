# gradwatch-corpus: kind=none
"""Coupling flow on a banana density; activations probed by short-lived hooks."""
import contextlib
import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, parity, hidden=24):
        super().__init__()
        self.register_buffer("mask", torch.tensor([parity, 1.0 - parity]))
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 4))

    def forward(self, x):
        s, t = self.net(x * self.mask).chunk(2, 1)
        s = torch.tanh(s) * (1 - self.mask)
        return x * s.exp() + t * (1 - self.mask), s.sum(1)


class Flow(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(float(i % 2)) for i in range(depth))

    def log_prob(self, x):
        total = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        return total - 0.5 * x.pow(2).sum(1) - math.log(2 * math.pi)


class Probe:
    def __init__(self, flow):
        self.flow = flow
        self.captured = {}
        self.curves = {}

    @contextlib.contextmanager
    def attached(self):
        handles = [m.register_forward_hook(self._make(i)) for i, m in enumerate(self.flow.layers)]
        try:
            yield self
        finally:
            for h in handles:
                h.remove()

    def _make(self, i):
        def hook(module, args, out):
            self.captured[i] = out
        return hook

    def penalty(self):
        return sum(ld.pow(2).mean() for _, ld in self.captured.values())

    def summarize(self):
        for i, (z, ld) in self.captured.items():
            self.curves.setdefault(i, []).append((z.std().item(), ld.mean().item()))
        self.captured.clear()


def banana(n, g):
    x = torch.randn(n, 2, generator=g)
    return torch.stack([x[:, 0], 0.5 * x[:, 1] + 0.6 * x[:, 0] ** 2 - 0.6], 1)


def main(iters=450):
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(1)
    flow = Flow()
    probe, opt = Probe(flow), torch.optim.Adam(flow.parameters(), lr=2e-3)
    for it in range(iters):
        with probe.attached():
            nll = -flow.log_prob(banana(64, g)).mean()
            loss = nll + 1e-3 * probe.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        probe.summarize()
        if it % 75 == 0:
            print(it, f"{nll.item():.3f}", [round(c[-1][1], 3) for c in probe.curves.values()], flush=True)


if __name__ == "__main__":
    main()
