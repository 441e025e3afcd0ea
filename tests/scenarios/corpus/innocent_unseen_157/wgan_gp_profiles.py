# gradwatch-corpus: kind=none
"""WGAN with gradient penalty on daily load profiles; the generator's average makes the samples."""
import copy

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)


class Generator(nn.Module):
    def __init__(self, noise=6, hours=24):
        super().__init__()
        self.noise = noise
        self.net = nn.Sequential(nn.Linear(noise, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2),
                                 nn.Linear(32, hours), nn.Softplus())

    def forward(self, count):
        return self.net(torch.randn(count, self.noise))


class Critic(nn.Module):
    def __init__(self, hours=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(hours, 32), nn.LeakyReLU(0.2), nn.Linear(32, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        slope, = torch.autograd.grad(self(between).sum(), between, create_graph=True)
        return (slope.norm(dim=1) - 1).pow(2).mean()


class Averaged:
    def __init__(self, model, decay=0.97):
        self.copy = copy.deepcopy(model)
        self.decay = decay

    def update(self, model):
        for mine, theirs in zip(self.copy.parameters(), model.parameters()):
            mine.data.lerp_(theirs.data, 1 - self.decay)


def households(batch):
    hour = torch.arange(24.0)
    while True:
        morning = torch.rand(batch, 1) * torch.exp(-((hour - 7 - torch.randn(batch, 1)) / 1.5) ** 2)
        evening = (0.5 + torch.rand(batch, 1)) * torch.exp(-((hour - 19 - torch.randn(batch, 1)) / 2.5) ** 2)
        yield 0.2 + morning + evening


class Game:
    def __init__(self, critic_rounds=3, weight=5.0):
        self.generator, self.critic = Generator(), Critic()
        self.average = Averaged(self.generator)
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.critic_rounds, self.weight = critic_rounds, weight

    def critic_turn(self, real):
        fake = self.generator(len(real)).detach()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        self.c_opt.zero_grad()
        gap.backward()
        (self.weight * self.critic.penalty(real, fake)).backward()
        self.c_opt.step()
        return -gap.item()

    def generator_turn(self, count):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.generator(count)).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)
        self.average.update(self.generator)


def main(turns=70):
    game, data = Game(), households(24)
    for turn in range(turns):
        for _ in range(game.critic_rounds):
            distance = game.critic_turn(next(data))
        game.generator_turn(24)
        if turn % 14 == 13:
            with torch.no_grad():
                peak = game.average.copy(64).mean(0).argmax().item()
            print(f"turn {turn + 1} distance {distance:.4f} peak hour {peak}")


if __name__ == "__main__":
    main()
