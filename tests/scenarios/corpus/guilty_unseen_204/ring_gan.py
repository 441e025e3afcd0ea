# gradwatch-corpus: kind=second-backward
# first-bad: 0
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class GanConfig:
    latent: int = 4
    width: int = 24
    batch: int = 32
    lr: float = 1e-3
    steps: int = 400
    seed: int = 0


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class Player:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr, betas=(0.5, 0.9))

    def objective(self, game):
        raise NotImplementedError

    def move(self, game):
        loss = self.objective(game)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


class Critic(Player):
    def objective(self, game):
        real = self.net(game.real)
        fake = self.net(game.fake)  # <- culprit
        return F.softplus(-real).mean() + F.softplus(fake).mean()


class Forger(Player):
    def objective(self, game):
        return F.softplus(-game.critic.net(game.fake)).mean()


class Game:
    def __init__(self, config):
        torch.manual_seed(config.seed)
        self.config = config
        self.gen = torch.Generator().manual_seed(config.seed + 1)
        self.critic = Critic(mlp(2, config.width, config.width, 1), config.lr)
        self.forger = Forger(mlp(config.latent, config.width, 2), config.lr)
        self.real = self.fake = None

    def deal(self):
        angle = torch.rand(self.config.batch, generator=self.gen) * 6.2832
        self.real = torch.stack([angle.cos(), angle.sin()], dim=1)
        z = torch.randn(self.config.batch, self.config.latent, generator=self.gen)
        self.fake = self.forger.net(z)

    def round(self):
        self.deal()
        return {
            "critic": self.critic.move(self),
            "forger": self.forger.move(self),
        }


def main():
    config = GanConfig(seed=3)
    game = Game(config)
    for step in range(config.steps):
        scores = game.round()
        if step % 100 == 0:
            print(step, {k: round(v, 3) for k, v in scores.items()})


if __name__ == "__main__":
    main()
