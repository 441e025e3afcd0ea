# gradwatch-corpus: kind=none
"""Synthesis of radiograph profiles: Wasserstein critic with a gradient penalty, averaged generator."""
import copy
from dataclasses import dataclass

import torch
from torch import autograd
from torch import nn


@dataclass
class SynthesisConfig:
    noise: int = 8
    profile: int = 32
    hidden: int = 48
    batch: int = 32
    rounds: int = 70
    critic_rounds: int = 3
    penalty: float = 10.0
    average: float = 0.95


class ProfileGenerator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.noise = cfg.noise
        self.net = nn.Sequential(nn.Linear(cfg.noise, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.profile))

    def draw(self, count):
        return self.net(torch.randn(count, self.noise))


class ProfileCritic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.profile, cfg.hidden), nn.Softplus(), nn.Linear(cfg.hidden, 1))

    def forward(self, profiles):
        return self.net(profiles).squeeze(1)

    def gradient_penalty(self, real, fake):
        blend = torch.rand(len(real), 1)
        between = blend * real + (1 - blend) * fake
        between.requires_grad_(True)
        score = self(between).sum()
        (slope,) = autograd.grad(score, between, create_graph=True)
        return (slope.norm(dim=1) - 1).pow(2).mean()


class Synthesis:
    def __init__(self, cfg):
        self.cfg = cfg
        self.generator = ProfileGenerator(cfg)
        self.averaged = copy.deepcopy(self.generator)
        self.critic = ProfileCritic(cfg)
        self.generator_optim = torch.optim.Adam(self.generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.distances = []
        self.gallery = []

    def real_profiles(self):
        grid = torch.linspace(-2, 2, self.cfg.profile)
        centre = torch.randn(self.cfg.batch, 1) * 0.5
        return torch.exp(-(grid - centre).pow(2) * 2)

    def critic_round(self):
        real = self.real_profiles()
        with torch.no_grad():
            fake = self.generator.draw(self.cfg.batch)
        distance = self.critic(real).mean() - self.critic(fake).mean()
        penalty = self.critic.gradient_penalty(real, fake)
        self.critic_optim.zero_grad()
        (self.cfg.penalty * penalty - distance).backward()
        self.critic_optim.step()
        self.distances.append(float(distance.detach()))

    def generator_round(self):
        loss = -self.critic(self.generator.draw(self.cfg.batch)).mean()
        self.generator_optim.zero_grad()
        loss.backward()
        self.generator_optim.step()
        with torch.no_grad():
            for slow, quick in zip(self.averaged.parameters(), self.generator.parameters()):
                slow.copy_(self.cfg.average * slow + (1 - self.cfg.average) * quick)

    @torch.no_grad()
    def exhibit(self):
        self.gallery.append(self.averaged.draw(4))


def main():
    torch.manual_seed(9)
    synthesis = Synthesis(SynthesisConfig())
    for number in range(synthesis.cfg.rounds):
        for _ in range(synthesis.cfg.critic_rounds):
            synthesis.critic_round()
        synthesis.generator_round()
        if number % 20 == 0:
            synthesis.exhibit()
            print(f"round {number:3d} distance {synthesis.distances[-1]:.4f}")
    print(f"gallery of {len(synthesis.gallery)} sheets")


if __name__ == "__main__":
    main()
