# gradwatch-corpus: kind=second-backward
# holder: self.target | matching.target | self.matching.target | real_feats | feats | trainer.matching.target
# first-bad: 12
# notice: 1
"""Stripe textures from a small convolutional GAN; feature matching is switched on after a warm-up."""
from dataclasses import dataclass

import torch
from torch import optim

from losses import FeatureMatching, hinge_disc, hinge_gen
from nets import Discriminator, Generator


@dataclass(frozen=True)
class Settings:
    steps: int = 60
    batch: int = 16
    latent: int = 12
    side: int = 16
    matching_from: int = 12
    matching_weight: float = 2.0


def stripes(batch, side):
    grid = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    angle = torch.rand(batch, 1, 1) * 3.1416
    wave = torch.sin((xx * angle.cos() + yy * angle.sin()) * 9.0 + torch.rand(batch, 1, 1) * 6.28)
    return (wave + 0.05 * torch.randn(batch, side, side)).unsqueeze(1)


class Trainer:
    def __init__(self, s):
        self.s = s
        self.gen = Generator(s.latent)
        self.disc = Discriminator()
        self.opt_g = optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = optim.Adam(self.disc.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.matching = FeatureMatching()

    def noise(self):
        return torch.randn(self.s.batch, self.s.latent)

    def disc_step(self, real):
        with torch.no_grad():
            fake = self.gen(self.noise())
        real_logits, real_feats = self.disc(real)
        fake_logits, _ = self.disc(fake)
        loss = hinge_disc(real_logits, fake_logits)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        self.matching.observe_real(real_feats)  # <- culprit
        return loss.item()

    def gen_step(self, step):
        logits, feats = self.disc(self.gen(self.noise()))
        loss = hinge_gen(logits)
        if step >= self.s.matching_from:
            loss = loss + self.s.matching_weight * self.matching(feats)
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def run(self):
        for step in range(self.s.steps):
            d = self.disc_step(stripes(self.s.batch, self.s.side))
            g = self.gen_step(step)
            if step % 6 == 0:
                print(f"[{step:02d}] disc {d:.3f} gen {g:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    Trainer(Settings()).run()
