# gradwatch-corpus: kind=none
"""Point-cloud WGAN-GP with a generator/critic schedule."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class GanConfig:
    points: int = 32
    latent: int = 8
    batch: int = 12
    critic_iters: int = 2
    rounds: int = 70
    gp: float = 10.0
    lr: float = 4e-4


class CloudGenerator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.shape = (cfg.points, 3)
        self.net = nn.Sequential(nn.Linear(cfg.latent, 64), nn.SiLU(), nn.Linear(64, cfg.points * 3))

    def forward(self, z):
        return self.net(z).view(-1, *self.shape)


class CloudCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 32))
        self.value = nn.Sequential(nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, cloud):
        return self.value(self.local(cloud).mean(1)).squeeze(-1)


class GradientPenalty:
    def __init__(self, weight):
        self.weight = weight
        self.last_norm = 0.0

    def __call__(self, critic, real, fake):
        mix = torch.rand(real.size(0), 1, 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = critic(point).sum()
        slope, = torch.autograd.grad(score, point, create_graph=True)
        norm = slope.flatten(1).norm(dim=1)
        self.last_norm = norm.mean().item()
        return self.weight * (norm - 1).square().mean()


class WganSession:
    def __init__(self, cfg):
        self.cfg = cfg
        self.generator = CloudGenerator(cfg)
        self.critic = CloudCritic()
        self.penalty = GradientPenalty(cfg.gp)
        self.opt_g = torch.optim.Adam(self.generator.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.gen = torch.Generator().manual_seed(52)

    def real(self):
        raw = torch.randn(self.cfg.batch, self.cfg.points, 3, generator=self.gen)
        return raw / raw.norm(dim=-1, keepdim=True)

    def latent(self):
        return torch.randn(self.cfg.batch, self.cfg.latent, generator=self.gen)

    def critic_update(self):
        real = self.real()
        with torch.no_grad():
            fake = self.generator(self.latent())
        gap = self.critic(fake).mean() - self.critic(real).mean()
        loss = gap + self.penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return -gap.item()

    def generator_update(self):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.generator(self.latent())).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)

    def round(self):
        gaps = [self.critic_update() for _ in range(self.cfg.critic_iters)]
        self.generator_update()
        return sum(gaps) / len(gaps)


def main():
    torch.manual_seed(51)
    session = WganSession(GanConfig())
    for index in range(session.cfg.rounds):
        gap = session.round()
        if index % 14 == 0:
            print(f"round {index:3d} gap {gap:.4f} slope {session.penalty.last_norm:.3f}")


if __name__ == "__main__":
    main()
