# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Generates glaze recipes (oxide fractions) with a small conditional GAN."""
import torch
from torch import nn
from torch.nn import functional as F

OXIDES = 8
KINDS = 3


class Generator(nn.Module):
    def __init__(self, noise=6):
        super().__init__()
        self.noise = noise
        self.kind = nn.Embedding(KINDS, 4)
        self.net = nn.Sequential(nn.Linear(noise + 4, 32), nn.LeakyReLU(0.2), nn.Linear(32, OXIDES))

    def forward(self, kind):
        z = torch.randn(len(kind), self.noise)
        return torch.softmax(self.net(torch.cat([z, self.kind(kind)], 1)), 1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = nn.Embedding(KINDS, 4)
        self.net = nn.Sequential(nn.Linear(OXIDES + 4, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, recipe, kind):
        return self.net(torch.cat([recipe, self.kind(kind)], 1)).squeeze(1)


def recipes(n, gen):
    base = torch.tensor([[3.0, 1, 0, 0, 0.5, 0, 0, 0], [1, 0, 2, 1, 0, 0, 1, 0], [0, 2, 0, 0, 1, 2, 0, 1]])
    kind = torch.randint(0, KINDS, (n,), generator=gen)
    raw = base[kind] + 0.3 * torch.randn(n, OXIDES, generator=gen)
    return torch.softmax(raw, 1), kind


class GlazeTrainer:
    def __init__(self, lr=1e-3):
        self.gen = Generator()
        self.critic = Critic()
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.99))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.99))

    def step(self, real, kind):
        fake = self.gen(kind)
        real_score = self.critic(real, kind)
        fake_score = self.critic(fake, kind)  # <- culprit
        c_loss = F.softplus(-real_score).mean() + F.softplus(fake_score).mean()
        self.opt_c.zero_grad()
        c_loss.backward()
        self.opt_c.step()

        g_loss = F.softplus(-self.critic(fake, kind)).mean()
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        return c_loss.item(), g_loss.item()


def main(steps=500):
    torch.manual_seed(8)
    rng = torch.Generator().manual_seed(8)
    trainer = GlazeTrainer()
    for step in range(steps):
        real, kind = recipes(48, rng)
        c, g = trainer.step(real, kind)
        if step % 100 == 0:
            print(step, round(c, 4), round(g, 4))


if __name__ == "__main__":
    main()
