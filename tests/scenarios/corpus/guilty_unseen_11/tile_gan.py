# gradwatch-corpus: kind=inplace-modified
# holder: losses.maker | both.maker | self.critic | game.critic | critic
# first-bad: 0
"""Small GAN for seamless 12x12 ceramic tile patterns, for the pattern book of a tile maker."""
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

SIDE = 12


@dataclass
class Losses:
    critic: torch.Tensor
    maker: torch.Tensor

    def as_text(self):
        return f"critic {self.critic.item():.3f}  maker {self.maker.item():.3f}"


class Maker(nn.Module):
    def __init__(self, noise=16, hidden=64):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(
            nn.Linear(noise, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, SIDE * SIDE // 4), nn.Tanh(),
        )

    def forward(self, n):
        quarter = self.net(torch.randn(n, self.noise)).view(n, SIDE // 2, SIDE // 2)
        top = torch.cat([quarter, quarter.flip(2)], dim=2)
        return torch.cat([top, top.flip(1)], dim=1)


class Critic(nn.Module):
    def __init__(self, channels=12):
        super().__init__()
        self.conv1 = nn.Conv2d(1, channels, 3, stride=2, padding=1, padding_mode="circular")
        self.conv2 = nn.Conv2d(channels, channels * 2, 3, stride=2, padding=1, padding_mode="circular")
        self.judge = nn.Linear(channels * 2 * 9, 1)

    def forward(self, tiles):
        z = F.leaky_relu(self.conv1(tiles.unsqueeze(1)), 0.2)
        z = F.leaky_relu(self.conv2(z), 0.2)
        return self.judge(z.flatten(1)).squeeze(1)


def glazed_tiles(n, gen):
    """Rings and crosses, symmetric in both axes."""
    axis = torch.linspace(-1, 1, SIDE)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    radius = 0.3 + 0.5 * torch.rand(n, 1, 1, generator=gen)
    ring = torch.exp(-((xx ** 2 + yy ** 2).sqrt() - radius) ** 2 / 0.02)
    cross = torch.exp(-torch.minimum(xx.abs(), yy.abs()) ** 2 / 0.01)
    kind = (torch.rand(n, 1, 1, generator=gen) < 0.5).float()
    return 2 * (kind * ring + (1 - kind) * cross) - 1


class Game:
    def __init__(self, maker, critic, seed):
        self.maker, self.critic = maker, critic
        self.maker_opt = torch.optim.Adam(maker.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.gen = torch.Generator().manual_seed(seed)

    def play(self, n=24):
        real, made = glazed_tiles(n, self.gen), self.maker(n)
        critic = F.softplus(-self.critic(real)).mean() + F.softplus(self.critic(made.detach())).mean()
        maker = F.softplus(-self.critic(made)).mean()  # <- culprit
        return Losses(critic, maker)

    def _move(self, optimizer, loss):
        optimizer.zero_grad()
        loss.backward()  # <- culprit
        optimizer.step()

    def round(self):
        losses = self.play()
        self._move(self.critic_opt, losses.critic)  # <- culprit
        self._move(self.maker_opt, losses.maker)  # <- culprit
        return losses


def main(rounds=300):
    torch.manual_seed(8)
    game = Game(Maker(), Critic(), seed=5)
    for r in range(1, rounds + 1):
        losses = game.round()
        if r == 1 or r % 60 == 0:
            print(f"round {r}: {losses.as_text()}")


if __name__ == "__main__":
    main()
