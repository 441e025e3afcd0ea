# gradwatch-corpus: kind=graph-held
# holder: self.thunks | lazy.thunks
# first-bad: 1
"""VAE on toy spectra with lazily formatted log lines.

Formatting on every step shows up in the profile, so messages are queued as
thunks and rendered at the end (or when the queue is asked to).
"""
import functools
import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("vae")


class LazyLog:
    def __init__(self, echo=75):
        self.thunks = []
        self.echo = echo

    def later(self, fn):
        self.thunks.append(fn)  # <- culprit
        if len(self.thunks) % self.echo == 0:
            log.info(self.thunks[-1]())

    def render(self):
        return [f() for f in self.thunks]


class SpectraVAE(nn.Module):
    def __init__(self, bins=64, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 64), nn.Softplus(), nn.Linear(64, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 64), nn.Softplus(), nn.Linear(64, bins))

    def forward(self, x):
        m, lv = self.enc(x).chunk(2, -1)
        y = self.dec(m + torch.randn_like(m) * (0.5 * lv).exp())
        rec = (y - x).square().sum(-1).mean()
        kl = 0.5 * (m.square() + lv.exp() - 1 - lv).sum(-1).mean()
        return rec, kl


def spectra(n, bins=64):
    grid = torch.linspace(0, 1, bins)
    c, w = torch.rand(n, 1), 0.03 + 0.1 * torch.rand(n, 1)
    return torch.exp(-((grid - c) / w) ** 2) + 0.02 * torch.randn(n, bins)


def anneal(step, warm=120):
    return min(1.0, step / warm)


def describe(step, parts, beta):
    rec, kl = parts
    return f"{step:5d} | rec {rec.item():8.3f} | kl {kl.item():7.3f} | beta {beta:.2f}"


def main():
    torch.manual_seed(12)
    vae, lazy = SpectraVAE(), LazyLog()
    optim = torch.optim.Adamax(vae.parameters(), lr=3e-3)
    for step in range(300):
        beta = anneal(step)
        rec, kl = vae(spectra(48))
        optim.zero_grad()
        (rec + beta * kl).backward()
        optim.step()
        lazy.later(functools.partial(describe, step, (rec, kl), beta))  # <- culprit
    lines = lazy.render()
    log.info("kept %d lines, last: %s", len(lines), lines[-1])


if __name__ == "__main__":
    main()
