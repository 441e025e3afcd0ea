# gradwatch-corpus: kind=none
from dataclasses import dataclass
from dataclasses import field

import torch
from torch import nn


@dataclass
class GanConfig:
    tiles: int = 8
    latent: int = 10
    batch: int = 24
    rounds: int = 70
    critic_turns: int = 3
    penalty: float = 10.0
    betas: tuple = field(default=(0.0, 0.9))


class LevelMaker(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.net = nn.Sequential(
            nn.Linear(cfg.latent, 64),
            nn.ReLU(),
            nn.Linear(64, cfg.tiles * cfg.tiles),
            nn.Sigmoid(),
        )

    def forward(self, z):
        return self.net(z).view(-1, 1, self.cfg.tiles, self.cfg.tiles)


class LevelCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.Softplus(),
            nn.Conv2d(8, 8, 3, stride=2),
            nn.Softplus(),
            nn.Flatten(),
            nn.LazyLinear(1),
        )

    def forward(self, level):
        return self.net(level).squeeze(1)


def platforms(cfg, gen):
    level = torch.zeros(cfg.batch, 1, cfg.tiles, cfg.tiles)
    rows = torch.randint(2, cfg.tiles, (cfg.batch,), generator=gen)
    for index, row in enumerate(rows.tolist()):
        level[index, 0, row] = 1.0
    noise = 0.05 * torch.rand(level.shape, generator=gen)
    return (level + noise).clamp(0, 1)


class LevelGan:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(14)
        self.maker = LevelMaker(cfg)
        self.critic = LevelCritic()
        self.critic(torch.zeros(1, 1, cfg.tiles, cfg.tiles))
        self.opts = {
            "maker": torch.optim.Adam(self.maker.parameters(), lr=1e-3, betas=cfg.betas),
            "critic": torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=cfg.betas),
        }
        self.gallery = []

    def noise(self):
        return torch.randn(self.cfg.batch, self.cfg.latent, generator=self.gen)

    def slope_penalty(self, real, fake):
        mix = torch.rand(len(real), 1, 1, 1, generator=self.gen)
        between = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = self.critic(between)
        (slope,) = torch.autograd.grad(score.sum(), between, create_graph=True)
        return (slope.flatten(1).norm(dim=1) - 1).pow(2).mean()

    def critic_turn(self):
        real = platforms(self.cfg, self.gen)
        with torch.no_grad():
            fake = self.maker(self.noise())
        gap = self.critic(fake).mean() - self.critic(real).mean()
        loss = gap + self.cfg.penalty * self.slope_penalty(real, fake)
        self.opts["critic"].zero_grad()
        loss.backward()
        self.opts["critic"].step()
        return -gap.item()

    def maker_turn(self):
        levels = self.maker(self.noise())
        loss = -self.critic(levels).mean()
        self.opts["maker"].zero_grad()
        loss.backward()
        self.opts["maker"].step()
        return levels

    def train(self):
        for number in range(self.cfg.rounds):
            distance = 0.0
            for _ in range(self.cfg.critic_turns):
                distance += self.critic_turn() / self.cfg.critic_turns
            levels = self.maker_turn()
            if number % 20 == 0:
                self.gallery.append(levels[0].detach().clone())
                print(f"round {number} distance {distance:.3f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    gan = LevelGan(GanConfig())
    gan.train()
    print("gallery", len(gan.gallery))
