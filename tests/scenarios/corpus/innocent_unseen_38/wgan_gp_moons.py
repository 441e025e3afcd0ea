# gradwatch-corpus: kind=none
"""WGAN-GP on a 2-d mixture, several critic steps for each generator step, EMA generator for samples."""
import copy
import itertools
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class Options:
    latent: int = 4
    width: int = 48
    batch: int = 64
    n_critic: int = 4
    gp_weight: float = 5.0
    lr: float = 1e-3
    rounds: int = 50
    ema: float = 0.95


@dataclass
class Log:
    wasserstein: list[float] = field(default_factory=list)
    penalty: list[float] = field(default_factory=list)
    samples: dict[int, Tensor] = field(default_factory=dict)

    def tail(self, name, n=20):
        xs = getattr(self, name)[-n:]
        return sum(xs) / len(xs)


def spiral_arms(n):
    arm = torch.randint(3, (n,)).float() * 2.0944
    r = 0.3 + 1.7 * torch.rand(n)
    ang = arm + 1.2 * r
    return torch.stack([r * ang.cos(), r * ang.sin()], 1) + 0.05 * torch.randn(n, 2)


def net(i, o, w):
    return nn.Sequential(nn.Linear(i, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, o))


class WGAN:
    def __init__(self, opt: Options):
        self.o = opt
        self.G = net(opt.latent, 2, opt.width)
        self.D = net(2, 1, opt.width)
        self.G_avg = copy.deepcopy(self.G).requires_grad_(False)
        self.optG = torch.optim.Adam(self.G.parameters(), lr=opt.lr, betas=(0.0, 0.9))
        self.optD = torch.optim.Adam(self.D.parameters(), lr=opt.lr, betas=(0.0, 0.9))
        self.log = Log()

    def noise(self):
        return torch.randn(self.o.batch, self.o.latent)

    def gradient_penalty(self, real, fake):
        a = torch.rand(len(real), 1)
        mid = (a * real + (1 - a) * fake).requires_grad_(True)
        g, = torch.autograd.grad(self.D(mid).sum(), mid, create_graph=True)
        return (g.norm(2, dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(self.noise())
        w = self.D(real).mean() - self.D(fake).mean()
        gp = self.gradient_penalty(real, fake)
        self.optD.zero_grad(set_to_none=True)
        (-w + self.o.gp_weight * gp).backward()
        self.optD.step()
        self.log.wasserstein.append(w.item())
        self.log.penalty.append(gp.item())

    def generator_step(self):
        for p in self.D.parameters():
            p.requires_grad_(False)
        loss = -self.D(self.G(self.noise())).mean()
        self.optG.zero_grad(set_to_none=True)
        loss.backward()
        self.optG.step()
        for p in self.D.parameters():
            p.requires_grad_(True)
        with torch.no_grad():
            for a, p in zip(self.G_avg.parameters(), self.G.parameters()):
                a.lerp_(p, 1 - self.o.ema)

    def snapshot(self, i):
        self.log.samples[i] = self.G_avg(torch.randn(256, self.o.latent))


def mmd(x, y, s=0.5):
    k = lambda a, b: torch.exp(-torch.cdist(a, b).pow(2) / (2 * s * s)).mean()
    return (k(x, x) + k(y, y) - 2 * k(x, y)).item()


def main():
    torch.manual_seed(14)
    gan = WGAN(Options())
    for i in itertools.count(1):
        for _ in range(gan.o.n_critic):
            gan.critic_step(spiral_arms(gan.o.batch))
        gan.generator_step()
        if i % 10 == 0:
            gan.snapshot(i)
            print(f"round {i:3d}  W {gan.log.tail('wasserstein'):+.3f}  gp {gan.log.tail('penalty'):.3f}  "
                  f"mmd {mmd(gan.log.samples[i], spiral_arms(256)):.4f}")
        if i == gan.o.rounds:
            break


if __name__ == "__main__":
    main()
