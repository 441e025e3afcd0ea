# gradwatch-corpus: kind=graph-held
# holder: self.pending | log.pending
# first-bad: 1
# notice: 8
"""RealNVP on two moons; the metrics are rendered after training so that the loop never waits for a sync."""
import argparse
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    iters: int = 120
    batch: int = 64
    layers: int = 4
    width: int = 24
    lr: float = 2e-3


class Coupling(nn.Module):
    def __init__(self, width, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        out = (b, a) if self.flip else (a, b)
        return torch.cat(out, dim=1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(cfg.width, i % 2 == 1) for i in range(cfg.layers))

    def log_prob(self, x):
        logdet = torch.zeros(x.shape[0])
        for layer in self.layers:
            x, s = layer(x)
            logdet = logdet + s
        base = -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi)
        return base + logdet, logdet


class DeferredLog:
    """Collects how to render each line; `render` does the formatting when the run is over."""

    def __init__(self, every):
        self.every = every
        self.pending = []

    def record(self, step, **values):
        def line():
            return f"{step:4d} " + " ".join(f"{k}={float(v):.4f}" for k, v in values.items())

        self.pending.append(line)  # <- culprit

    def render(self):
        return [line() for line in self.pending[::self.every]]


def moons(n, g):
    t = math.pi * torch.rand(n, generator=g)
    up = (torch.rand(n, generator=g) > 0.5).float()
    x = torch.where(up > 0, t.cos(), 1 - t.cos())
    y = torch.where(up > 0, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2, generator=g)


def fit(cfg, log):
    g = torch.Generator().manual_seed(0)
    flow = Flow(cfg)
    opt = torch.optim.Adam(flow.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.iters)
    for step in range(cfg.iters):
        logp, logdet = flow.log_prob(moons(cfg.batch, g))
        nll = -logp.mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        log.record(step, nll=nll, lr=sched.get_last_lr()[0])  # <- culprit
        sched.step()
    return flow


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=Config.iters)
    ap.add_argument("--every", type=int, default=20)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    log = DeferredLog(args.every)
    flow = fit(Config(iters=args.iters), log)
    print("\n".join(log.render()))
    with torch.no_grad():
        test = moons(256, torch.Generator().manual_seed(9))
        print("test nll", round(-flow.log_prob(test)[0].mean().item(), 4))


if __name__ == "__main__":
    main()
