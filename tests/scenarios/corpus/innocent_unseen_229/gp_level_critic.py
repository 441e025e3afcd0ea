# gradwatch-corpus: kind=none
"""WGAN-GP making height profiles for side-scroller levels."""
import torch
from torch import nn

WIDTH = 32
NOISE = 8


def terrain(n):
    x = torch.linspace(0, 1, WIDTH)
    freq = 1 + 3 * torch.rand(n, 1)
    phase = 6.28 * torch.rand(n, 1)
    return 0.6 * torch.sin(6.28 * freq * x + phase) + 0.2 * torch.rand(n, 1)


def make_gen():
    return nn.Sequential(nn.Linear(NOISE, 64), nn.LeakyReLU(0.2), nn.Linear(64, WIDTH), nn.Tanh())


def make_critic():
    return nn.Sequential(nn.Linear(WIDTH, 64), nn.Softplus(), nn.Linear(64, 1))


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    score = critic(between).sum()
    grad, = torch.autograd.grad(score, between, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


class LevelGAN:
    def __init__(self, seed=17, critic_steps=3):
        torch.manual_seed(seed)
        self.gen = make_gen()
        self.critic = make_critic()
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.critic_steps = critic_steps
        self.fixed = torch.randn(16, NOISE)
        self.gallery = []

    def fit_critic(self, real):
        with torch.no_grad():
            fake = self.gen(torch.randn(len(real), NOISE))
        wass = self.critic(fake).mean() - self.critic(real).mean()
        loss = wass + 10.0 * gradient_penalty(self.critic, real, fake)
        self.c_opt.zero_grad()
        loss.backward()
        self.c_opt.step()
        return -wass.item()

    def fit_generator(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.gen(torch.randn(n, NOISE))).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)

    def train(self, rounds=90):
        for r in range(rounds):
            for _ in range(self.critic_steps):
                gap = self.fit_critic(terrain(32))
            self.fit_generator(32)
            if r % 30 == 29:
                with torch.no_grad():
                    self.gallery.append(self.gen(self.fixed))
                print(f"round {r + 1} gap {gap:.3f} roughness {self.gallery[-1].diff(dim=1).abs().mean().item():.3f}")


if __name__ == "__main__":
    LevelGAN().train()
