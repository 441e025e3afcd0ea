# gradwatch-corpus: kind=second-backward
# first-bad: 5
"""Recurrent GAN for sine-wave mixtures. The critic is warmed up before the generator starts."""
import argparse

import torch

from nets import Generator, Critic
from objective import critic_loss, generator_loss


def real_batch(n, T):
    t = torch.linspace(0, 1, T)
    f = 1 + 3 * torch.rand(n, 1)
    return (torch.sin(6.28 * f * t) + 0.05 * torch.randn(n, T)).unsqueeze(-1)


class Trainer:
    def __init__(self, o):
        self.o = o
        self.G, self.D = Generator(o.z), Critic()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=o.lr, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=o.lr, betas=(0.5, 0.9))
        self.stats = {"d": 0.0, "g": 0.0}

    def step(self, it):
        real = real_batch(self.o.bs, self.o.T)
        fake = self.G(torch.randn(self.o.bs, self.o.T, self.o.z))

        self.opt_d.zero_grad()
        d = critic_loss(self.D, real, fake)  # <- culprit
        d.backward()
        self.opt_d.step()
        self.stats["d"] = 0.9 * self.stats["d"] + 0.1 * d.item()

        if it < self.o.warmup:
            return
        self.opt_g.zero_grad()
        g = generator_loss(self.D, fake)
        g.backward()
        self.opt_g.step()
        self.stats["g"] = 0.9 * self.stats["g"] + 0.1 * g.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=400)
    ap.add_argument("--warmup", type=int, default=5)
    ap.add_argument("--bs", type=int, default=12)
    ap.add_argument("--T", type=int, default=12)
    ap.add_argument("--z", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    o = ap.parse_args()
    torch.manual_seed(31)
    tr = Trainer(o)
    for it in range(o.iters):
        tr.step(it)
        if it % 40 == 0:
            print(it, {k: round(v, 4) for k, v in tr.stats.items()})


if __name__ == "__main__":
    main()
