# gradwatch-corpus: kind=none
"""WGAN-GP for short drum-like waves: several critic steps, averaged generator, a strip of pictures."""
import copy
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
N = 32
LATENT = 6


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


def drums(n, gen):
    t = torch.linspace(0, 1, N)
    decay = 3 + 4 * torch.rand(n, 1, generator=gen)
    pitch = 10 + 20 * torch.rand(n, 1, generator=gen)
    return torch.exp(-decay * t) * torch.sin(pitch * t)


class WaveGAN:
    critic_steps = 2
    gp_weight = 5.0

    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.G, self.D = mlp(LATENT, 32, 32, N), mlp(N, 32, 32, 1)
        self.smooth = copy.deepcopy(self.G).requires_grad_(False)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.fixed = torch.randn(3, LATENT, generator=self.gen)
        self.penalties = deque(maxlen=8)
        self.strip = deque(maxlen=4)
        self.narrowest = None

    def noise(self, n):
        return torch.randn(n, LATENT, generator=self.gen)

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1, generator=self.gen)
        between = (mix * real + (1 - mix) * fake).requires_grad_(True)
        slope, = torch.autograd.grad(self.D(between).sum(), between, create_graph=True)
        gp = (slope.norm(dim=1) - 1).pow(2).mean()
        self.penalties.append(gp)
        return gp

    def critic_step(self, n):
        real = drums(n, self.gen)
        with torch.no_grad():
            fake = self.G(self.noise(n))
        gap = self.D(real).mean() - self.D(fake).mean()
        loss = -gap + self.gp_weight * self.penalty(real, fake)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return gap

    def generator_step(self, n):
        self.D.requires_grad_(False)
        loss = -self.D(self.G(self.noise(n))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.D.requires_grad_(True)
        with torch.no_grad():
            for s, p in zip(self.smooth.parameters(), self.G.parameters()):
                s.mul_(0.98).add_(p, alpha=0.02)

    def round(self, n=24):
        gaps = [self.critic_step(n) for _ in range(self.critic_steps)]
        self.generator_step(n)
        if self.narrowest is None or gaps[-1].abs() < self.narrowest.abs():
            self.narrowest = gaps[-1]
        return gaps[-1].item()

    def snapshot(self):
        self.strip.append(self.smooth(self.fixed))

    def picture(self):
        for waves in self.strip:
            print("   " + " ".join("▁▂▃▄▅▆▇█"[int((v.clamp(-1, 1) + 1) * 3.5)] for v in waves[0][::2]))


def main():
    gan = WaveGAN()
    for r in range(200):
        gap = gan.round()
        if r % 10 == 0:
            gan.snapshot()
        if r % 50 == 49:
            gp = torch.stack(list(gan.penalties)).mean().item()
            print(f"round {r + 1} gap {gap:.3f} narrowest {gan.narrowest.item():.3f} penalty {gp:.3f}")
            gan.picture()


if __name__ == "__main__":
    main()
