# gradwatch-corpus: kind=none
"""Non-saturating GAN, R1 applied lazily, last batch kept for the sample grid."""
from dataclasses import dataclass
from typing import Optional

import torch
from torch import Tensor, nn
import torch.nn.functional as F


@dataclass
class Last:
    fake: Optional[Tensor] = None
    r1: Optional[Tensor] = None
    d_loss: Optional[Tensor] = None


class Trainer:
    def __init__(self, latent=4, r1_every=8, gamma=1.0):
        self.latent, self.r1_every, self.gamma = latent, r1_every, gamma
        self.g = nn.Sequential(nn.Linear(latent, 32), nn.LeakyReLU(0.2), nn.Linear(32, 2))
        self.d = nn.Sequential(nn.Linear(2, 32), nn.Softplus(), nn.Linear(32, 1))
        self.opt_g, self.opt_d = (torch.optim.Adam(m.parameters(), lr=1e-3, betas=(0.0, 0.99)) for m in (self.g, self.d))
        self.last = Last()
        self.curve = []

    def r1(self, real):
        real = real.requires_grad_(True)
        (grad,) = torch.autograd.grad(self.d(real).sum(), real, create_graph=True)
        return grad.pow(2).sum(1).mean()

    def step(self, it, real):
        fake = self.g(torch.randn(len(real), self.latent))
        d_loss = F.softplus(self.d(fake.detach())).mean() + F.softplus(-self.d(real)).mean()
        if it % self.r1_every == 0:
            self.last.r1 = self.r1(real)
            d_loss = d_loss + 0.5 * self.gamma * self.r1_every * self.last.r1
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()

        g_loss = F.softplus(-self.d(fake)).mean()
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        self.last.fake, self.last.d_loss = fake, d_loss
        self.curve.append((d_loss.item(), g_loss.item()))


def main(iters=420):
    torch.manual_seed(3)
    trainer = Trainer()
    for it in range(iters):
        mode = torch.randint(4, (64,)) * 1.5708
        real = torch.stack([mode.cos(), mode.sin()], 1) + 0.05 * torch.randn(64, 2)
        trainer.step(it, real)
        if it % 60 == 0:
            last = trainer.last
            print(it, *(f"{v:.3f}" for v in trainer.curve[-1]), f"r1 {last.r1.item():.3f}", last.fake.std().item())


if __name__ == "__main__":
    main()
