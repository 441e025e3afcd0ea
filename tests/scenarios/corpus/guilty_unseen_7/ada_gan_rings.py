# gradwatch-corpus: kind=graph-held
# holder: self.r_t | aug.r_t | self.aug.r_t | gan.aug.r_t
# first-bad: 1
"""Small GAN on 2D rings with adaptive discriminator augmentation (stylegan2-ada heuristic on r_t)."""
import math
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Conf:
    zdim: int = 8
    width: int = 64
    batch: int = 96
    rounds: int = 320
    lr: float = 5e-4
    target: float = 0.05
    kimg: float = 0.004
    momentum: float = 0.98


class AdaptiveAugment:
    """probability p of a random rotation+jitter; moved up when the critic is too sure about real data"""

    def __init__(self, conf):
        self.conf = conf
        self.p = 0.0
        self.r_t = torch.tensor(0.0)

    def __call__(self, pts):
        if self.p <= 0:
            return pts
        on = (torch.rand(len(pts), 1) < self.p).float()
        ang = on * (torch.rand(len(pts), 1) - 0.5) * math.pi
        c, s = ang.cos(), ang.sin()
        x, y = pts[:, :1], pts[:, 1:]
        turned = torch.cat([c * x - s * y, s * x + c * y], 1)
        return turned + on * 0.05 * torch.randn_like(turned)

    def observe(self, real_logits):
        self.r_t = torch.lerp(real_logits.sign().mean(), self.r_t, self.conf.momentum)  # <- culprit

    def adjust(self):
        up = 1.0 if self.r_t.item() > self.conf.target else -1.0
        self.p = min(0.8, max(0.0, self.p + up * self.conf.kimg))


class RingGAN:
    def __init__(self, conf):
        self.conf = conf
        self.aug = AdaptiveAugment(conf)
        w = conf.width
        self.g = nn.Sequential(nn.Linear(conf.zdim, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, 2))
        self.d = nn.Sequential(nn.Linear(2, w), nn.LeakyReLU(0.2), nn.Linear(w, w), nn.LeakyReLU(0.2),
                               nn.Linear(w, 1))

    @cached_property
    def optims(self):
        mk = lambda net: torch.optim.Adam(net.parameters(), lr=self.conf.lr, betas=(0.0, 0.99))
        return mk(self.g), mk(self.d)

    def real(self):
        n = self.conf.batch
        rad = torch.where(torch.rand(n) < 0.5, 1.0, 2.0) + 0.05 * torch.randn(n)
        phi = torch.rand(n) * 2 * math.pi
        return torch.stack([rad * phi.cos(), rad * phi.sin()], 1)

    def fake(self):
        return self.g(torch.randn(self.conf.batch, self.conf.zdim))

    def critic_phase(self):
        _, opt_d = self.optims
        with torch.no_grad():
            made = self.fake()
        on_real = self.d(self.aug(self.real()))
        on_fake = self.d(self.aug(made))
        loss = F.softplus(-on_real).mean() + F.softplus(on_fake).mean()
        self.aug.observe(on_real)
        opt_d.zero_grad()
        loss.backward()
        opt_d.step()
        return loss.item()

    def generator_phase(self):
        opt_g, _ = self.optims
        self.d.requires_grad_(False)
        loss = F.softplus(-self.d(self.aug(self.fake()))).mean()
        opt_g.zero_grad()
        loss.backward()
        opt_g.step()
        self.d.requires_grad_(True)
        return loss.item()

    def fit(self):
        for r in range(self.conf.rounds):
            ld = self.critic_phase()
            lg = self.generator_phase()
            if r % 4 == 3:
                self.aug.adjust()
            if r % 40 == 0:
                print(f"round {r:3d}  d {ld:.3f}  g {lg:.3f}  p {self.aug.p:.3f}  r_t {self.aug.r_t.item():+.3f}")


if __name__ == "__main__":
    torch.manual_seed(17)
    gan = RingGAN(Conf())
    gan.fit()
    with torch.no_grad():
        print("mean radius of samples", gan.fake().norm(dim=1).mean().item())
