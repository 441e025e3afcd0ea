# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 1
"""Vanilla GAN on two concentric rings."""
import math

import torch

from nets import Discriminator, Generator
from trainer import GANTrainer

torch.set_num_threads(1)
torch.manual_seed(0)


def rings(n):
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0)
    a = torch.rand(n) * 2 * math.pi
    pts = torch.stack([r * a.cos(), r * a.sin()], dim=1)
    return pts + 0.03 * torch.randn(n, 2)


def coverage(G, n=500):
    with torch.no_grad():
        r = G(torch.randn(n, G.nz)).norm(dim=1)
    return ((r - 1).abs() < 0.2).float().mean().item(), ((r - 2).abs() < 0.2).float().mean().item()


def main():
    G, D = Generator(), Discriminator()
    trainer = GANTrainer(G, D)
    data = rings(4096)
    for epoch in range(3):
        for idx in torch.randperm(len(data)).split(128):
            d_loss, g_loss = trainer.step(data[idx])
        inner, outer = coverage(G)
        print(f"epoch {epoch} d {d_loss:.3f} g {g_loss:.3f} inner {inner:.2f} outer {outer:.2f}")


if __name__ == "__main__":
    main()
