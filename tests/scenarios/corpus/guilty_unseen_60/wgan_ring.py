# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 1
# notice: 0
"""Wasserstein GAN on a ring of eight Gaussians.

Adapted from the weight-clipping WGAN notebook; the critic gets `n_critic`
updates for every generator update.
"""
import argparse
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


def ring_batch(n, modes=8, radius=2.0, std=0.05):
    """Sample n points from a mixture of Gaussians arranged on a circle."""
    k = torch.randint(0, modes, (n,)).float()
    theta = 2 * math.pi * k / modes
    centers = torch.stack([radius * torch.cos(theta), radius * torch.sin(theta)], dim=1)
    return centers + std * torch.randn(n, 2)


class Generator(nn.Module):
    def __init__(self, z_dim, width):
        super().__init__()
        self.z_dim = z_dim
        self.net = nn.Sequential(
            nn.Linear(z_dim, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, 2),
        )

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.LeakyReLU(0.2),
            nn.Linear(width, width), nn.LeakyReLU(0.2),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


def clip_weights(module, c):
    with torch.no_grad():
        for p in module.parameters():
            p.clamp_(-c, c)


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=600)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--z-dim", type=int, default=8)
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("--n-critic", type=int, default=5)
    ap.add_argument("--clip", type=float, default=0.05)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--seed", type=int, default=3)
    return ap.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    gen = Generator(args.z_dim, args.width)
    critic = Critic(args.width)
    opt_g = torch.optim.RMSprop(gen.parameters(), lr=args.lr)
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=args.lr)

    loss_g = torch.zeros(())
    for it in range(args.iters):
        # a round is n_critic critic updates and one generator update, on one set of samples
        if it % args.n_critic == 0:
            z = torch.randn(args.batch_size, gen.z_dim)
            fake = gen(z)  # <- culprit

        real = ring_batch(args.batch_size)
        loss_c = critic(fake).mean() - critic(real).mean()
        opt_c.zero_grad()
        loss_c.backward()  # <- culprit
        opt_c.step()
        clip_weights(critic, args.clip)

        if (it + 1) % args.n_critic == 0:
            loss_g = -critic(fake).mean()
            opt_g.zero_grad()
            loss_g.backward()
            opt_g.step()

        if it % 50 == 0:
            print(f"[{it:4d}] W-dist {-loss_c.item():.4f}  loss_g {loss_g.item():.4f}")


if __name__ == "__main__":
    main()
