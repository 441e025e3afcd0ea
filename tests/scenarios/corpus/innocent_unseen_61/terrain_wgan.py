# gradwatch-corpus: kind=none
"""WGAN-GP for terrain profiles, with path-length regularisation of the generator.

The penalty on the critic and the path length of the generator are double backward passes.
"""
import argparse
from contextlib import contextmanager

import torch
from torch import nn


def profiles(n, length=24):
    x = torch.linspace(0, 3.14, length)
    peak = torch.rand(n, 1) * 2
    return torch.sin(x + peak) + 0.3 * torch.sin(3 * x * (1 + 0.2 * peak)) + 0.05 * torch.randn(n, length)


def mlp(n_in, n_out, width=48):
    return nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.2, inplace=True), nn.Linear(width, width),
                         nn.LeakyReLU(0.2, inplace=True), nn.Linear(width, n_out))


@contextmanager
def frozen(module):
    module.requires_grad_(False)
    try:
        yield
    finally:
        module.requires_grad_(True)


class PathLength:
    """|J^T y| of the generator is pulled towards its own running mean."""

    def __init__(self, decay=0.95):
        self.decay, self.mean = decay, torch.zeros(())

    def __call__(self, fake, latent):
        noise = torch.randn_like(fake) / fake.size(1) ** 0.5
        grad, = torch.autograd.grad((fake * noise).sum(), latent, create_graph=True)
        lengths = grad.pow(2).sum(1).add(1e-8).sqrt()
        self.mean = self.decay * self.mean + (1 - self.decay) * lengths.mean().detach()
        return (lengths - self.mean).pow(2).mean()


class Game:
    def __init__(self, latent_dim=8, length=24, gp_weight=10.0, n_critic=3):
        self.latent_dim, self.gp_weight, self.n_critic = latent_dim, gp_weight, n_critic
        self.generator, self.critic = mlp(latent_dim, length), mlp(length, 1)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.path_length = PathLength()
        self.last_fake = None

    def gradient_penalty(self, real, fake):
        mix = torch.rand(real.size(0), 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        grad, = torch.autograd.grad(self.critic(between).sum(), between, create_graph=True)
        return (grad.norm(2, dim=1) - 1).pow(2).mean()

    def critic_step(self, real, fake):
        fake = fake.detach()
        wasserstein = self.critic(real).mean() - self.critic(fake).mean()
        loss = -wasserstein + self.gp_weight * self.gradient_penalty(real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return wasserstein.item()

    def generator_step(self, fake, latent):
        with frozen(self.critic):
            adversarial = -self.critic(fake).mean()
        self.opt_g.zero_grad()
        adversarial.backward(retain_graph=True)
        (0.1 * self.path_length(fake, latent)).backward()
        self.opt_g.step()

    def step(self, it, real):
        latent = torch.randn(real.size(0), self.latent_dim, requires_grad=True)
        fake = self.generator(latent)
        self.last_fake = fake
        distance = self.critic_step(real, fake)
        if it % self.n_critic == self.n_critic - 1:
            self.generator_step(fake, latent)
        return distance


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--iterations", type=int, default=210)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(12)
    game, distances = Game(), []
    for it in range(args.iterations):
        distances.append(game.step(it, profiles(args.batch)))
    print(f"wasserstein {sum(distances[-30:]) / 30:.4f}, path length {game.path_length.mean.item():.4f}")


if __name__ == "__main__":
    main()
