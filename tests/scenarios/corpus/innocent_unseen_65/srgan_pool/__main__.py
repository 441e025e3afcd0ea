# gradwatch-corpus: kind=none
"""Tiny SRGAN on stripes: content loss on discriminator-independent features, WGAN-GP critic fed from
an image pool. Run with python -m srgan_pool"""
import torch
from torch import nn

from .losses import ContentLoss, ImagePool, gradient_penalty
from .meters import MeterBoard


def stripes(n, size=16):
    ax = torch.linspace(0, 1, size)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    f, p, m = (torch.rand(n, 1, 1, 1) for _ in range(3))
    hi = torch.sin(20 * f * (m * xx + (1 - m) * yy) + 6.28 * p)
    return nn.functional.avg_pool2d(hi, 2), hi


def generator(ch=10):
    return nn.Sequential(
        nn.Conv2d(1, ch, 3, padding=1), nn.PReLU(), nn.Conv2d(ch, ch, 3, padding=1), nn.PReLU(),
        nn.Conv2d(ch, 4, 3, padding=1), nn.PixelShuffle(2), nn.Tanh(),
    )


def critic(ch=10):
    return nn.Sequential(
        nn.Conv2d(1, ch, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ch, 2 * ch, 4, 2, 1),
        nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(2 * ch * 16, 1),
    )


class SRGAN:
    def __init__(self, batch=6, n_critic=2, warmup=40):
        self.G, self.C = generator(), critic()
        self.opt_g = torch.optim.Adam(self.G.parameters(), 1e-3, (0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.C.parameters(), 5e-4, (0.5, 0.9))
        self.content, self.pool = ContentLoss(), ImagePool(30)
        self.board = MeterBoard(window=20)
        self.batch, self.n_critic, self.warmup = batch, n_critic, warmup
        self.last_fake = None

    def critic_round(self):
        lo, hi = stripes(self.batch)
        with torch.no_grad():
            fake = self.G(lo)
        fake = self.pool.query(fake)
        gap = self.C(fake).mean() - self.C(hi).mean()
        gp = gradient_penalty(self.C, hi, fake)
        loss = gap + 10 * gp
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.board.update(gap=gap, gp=gp)

    def generator_round(self, adversarial):
        lo, hi = stripes(self.batch)
        self.last_fake = self.G(lo)
        loss = nn.functional.l1_loss(self.last_fake, hi) + 0.2 * self.content(self.last_fake, hi)
        if adversarial:
            self.C.requires_grad_(False)
            loss = loss - 0.01 * self.C(self.last_fake).mean()
            self.C.requires_grad_(True)
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.board.update(g=loss)

    def fit(self, iters):
        for it in range(iters):
            adversarial = it >= self.warmup
            if adversarial:
                for _ in range(self.n_critic):
                    self.critic_round()
            self.generator_round(adversarial)
            if it % 30 == 0:
                print(it, self.board, f"range {self.last_fake.min():.2f}..{self.last_fake.max():.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(9)
    SRGAN().fit(180)
