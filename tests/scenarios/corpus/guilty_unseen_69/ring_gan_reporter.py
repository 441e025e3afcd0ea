# gradwatch-corpus: kind=graph-held
# holder: self._readers | self._readers["gen"] | self._readers[name] | reporter._readers | self.reporter._readers | read | gan.reporter._readers | g_loss | reporter._readers['gen']
# first-bad: 1
# notice: 8
"""A small GAN on a ring of gaussians, with a reporter that is read out at the end of the run."""
import math
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


def ring(n, modes=8, radius=2.0, std=0.08):
    k = torch.randint(0, modes, (n,)).float() * (2 * math.pi / modes)
    centre = torch.stack([k.cos(), k.sin()], dim=1) * radius
    return centre + std * torch.randn(n, 2)


class Reporter:
    """Keeps one reader per value; nothing is read until a summary is asked for."""

    def __init__(self):
        self._readers = defaultdict(list)

    def add(self, name, read):
        self._readers[name].append(read)  # <- culprit

    def summary(self, last=20):
        out = {}
        for name, readers in self._readers.items():
            tail = readers[-last:]
            out[name] = sum(read() for read in tail) / len(tail)
        return out


class RingGAN:
    def __init__(self, reporter, latent=4, width=32, lr=2e-3):
        self.latent = latent
        self.gen = mlp(latent, width, width, 2)
        self.disc = mlp(2, width, width, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=lr, betas=(0.5, 0.99))
        self.reporter = reporter

    def sample(self, n):
        return self.gen(torch.randn(n, self.latent))

    def _update_disc(self, real):
        with torch.no_grad():
            fake = self.sample(len(real))
        d_loss = F.softplus(-self.disc(real)).mean() + F.softplus(self.disc(fake)).mean()
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()
        value = d_loss.item()
        self.reporter.add("disc", lambda: value)

    def _update_gen(self, n):
        for p in self.disc.parameters():
            p.requires_grad_(False)
        g_loss = F.softplus(-self.disc(self.sample(n))).mean()
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        for p in self.disc.parameters():
            p.requires_grad_(True)
        self.reporter.add("gen", lambda: g_loss.item())  # <- culprit

    def train_step(self, n=64):
        self._update_disc(ring(n))
        self._update_gen(n)


@torch.no_grad()
def covered_modes(gan, n=256, modes=8):
    pts = gan.sample(n)
    angle = torch.atan2(pts[:, 1], pts[:, 0]) % (2 * math.pi)
    bucket = (angle / (2 * math.pi / modes)).round().long() % modes
    near = (pts.norm(dim=1) - 2.0).abs() < 0.5
    return len(set(bucket[near].tolist()))


def main(steps=150):
    torch.set_num_threads(1)
    torch.manual_seed(3)
    reporter = Reporter()
    gan = RingGAN(reporter)
    for step in range(steps):
        gan.train_step()
        if step % 50 == 49:
            print(f"step {step + 1}: {covered_modes(gan)} of 8 modes near the ring")
    for name, value in reporter.summary().items():
        print(f"{name:>5s} {value:.4f}")


if __name__ == "__main__":
    main()
