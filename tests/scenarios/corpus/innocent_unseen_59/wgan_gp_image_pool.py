# gradwatch-corpus: kind=none
"""WGAN-GP on tiny blob images, critic fed partly from a pool of earlier fakes."""
import argparse
import copy
import random

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent, ch=8):
        super().__init__()
        self.seed = nn.Linear(latent, ch * 9)
        self.up = nn.Sequential(
            nn.ReLU(), nn.ConvTranspose2d(ch, ch, 4, stride=2, padding=1),
            nn.ReLU(), nn.ConvTranspose2d(ch, 1, 4, stride=2, padding=1), nn.Tanh())
        self.ch = ch

    def forward(self, z):
        return self.up(self.seed(z).view(-1, self.ch, 3, 3))


class Critic(nn.Sequential):
    def __init__(self, ch=8):
        super().__init__(
            nn.Conv2d(1, ch, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Conv2d(ch, 2 * ch, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(2 * ch * 9, 1))


class ImagePool:
    """Half of what it hands out is taken from earlier steps (up to `size` images)."""

    def __init__(self, size, seed):
        self.size = size
        self.images = []
        self.rng = random.Random(seed)

    def exchange(self, images):
        out = []
        for image in images.detach():
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            elif self.rng.random() < 0.5:
                k = self.rng.randrange(self.size)
                out.append(self.images[k])
                self.images[k] = image
            else:
                out.append(image)
        return torch.stack(out)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1, 1, 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    g = torch.autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    return (g.flatten(1).norm(dim=1) - 1).pow(2).mean()


def blobs(n, size=12):
    axis = torch.arange(size, dtype=torch.float32)
    center = 3 + 6 * torch.rand(n, 2)
    d = (axis[None, :, None] - center[:, :1, None]) ** 2 + (axis[None, None] - center[:, 1:, None]) ** 2
    return (2 * torch.exp(-d / 4) - 1)[:, None]


class WganTrainer:
    def __init__(self, latent, n_critic, pool, lr=2e-3):
        self.generator, self.critic = Generator(latent), Critic()
        self.display = copy.deepcopy(self.generator).requires_grad_(False)
        self.pool, self.latent, self.n_critic = pool, latent, n_critic
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=lr, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.0, 0.9))

    def critic_step(self, n):
        fake = self.pool.exchange(self.generator(torch.randn(n, self.latent)))
        real = blobs(n)
        gap = self.critic(fake).mean() - self.critic(real).mean()
        loss = gap + 10 * gradient_penalty(self.critic, real, fake)
        self.c_opt.zero_grad()
        loss.backward()
        self.c_opt.step()
        return -gap.item()

    def generator_step(self, n):
        loss = -self.critic(self.generator(torch.randn(n, self.latent))).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        with torch.no_grad():
            for slow, p in zip(self.display.parameters(), self.generator.parameters()):
                slow.lerp_(p, 0.05)
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=100)
    ap.add_argument("--n-critic", type=int, default=2)
    ap.add_argument("--pool", type=int, default=64)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    trainer = WganTrainer(8, args.n_critic, ImagePool(args.pool, 20))
    probe = torch.randn(6, 8)
    gallery = []
    for r in range(args.rounds):
        gaps = [trainer.critic_step(16) for _ in range(args.n_critic)]
        g = trainer.generator_step(16)
        if r % 20 == 0:
            gallery.append(trainer.display(probe))
            print(f"round {r} wasserstein {sum(gaps) / len(gaps):.4f} generator {g:+.4f}")
    print("gallery", tuple(torch.stack(gallery).shape))


if __name__ == "__main__":
    main()
