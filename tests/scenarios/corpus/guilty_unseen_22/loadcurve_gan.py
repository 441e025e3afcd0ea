# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Synthetic household load curves (48 half-hours) from a conditional GAN with hinge loss.
Condition: weekday or weekend. Used for the anonymised test data of the metering team."""
import torch
from torch import nn
import torch.nn.functional as F

SLOTS = 48
Z = 10


class Generator(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.label = nn.Embedding(2, 6)
        self.fc = nn.Linear(Z + 6, width)
        self.up = nn.Sequential(
            nn.ConvTranspose1d(width // 8, 16, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose1d(16, 8, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose1d(8, 8, 4, 2, 1), nn.ReLU(),
            nn.Conv1d(8, 1, 5, padding=2),
        )
        self.expand = nn.Linear(width, width // 8 * 6)

    def forward(self, z, kind):
        h = F.relu(self.fc(torch.cat([z, self.label(kind)], 1)))
        h = F.relu(self.expand(h)).view(len(z), -1, 6)
        return F.softplus(self.up(h)).squeeze(1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 12, 5, 2, 2), nn.LeakyReLU(0.2),
            nn.Conv1d(12, 24, 5, 2, 2), nn.LeakyReLU(0.2),
        )
        self.label = nn.Embedding(2, 24)
        self.score = nn.Linear(24, 1)

    def forward(self, curve, kind):
        h = self.body(curve.unsqueeze(1)).mean(-1)
        return self.score(h).squeeze(1) + (h * self.label(kind)).sum(1)


def sample_households(n, rng):
    kind = torch.randint(2, (n,), generator=rng)
    t = torch.arange(SLOTS).float()
    morning = torch.exp(-(t - 15 - 4 * kind.unsqueeze(1)) ** 2 / 10)
    evening = torch.exp(-(t - 38) ** 2 / 18)
    scale = 0.5 + torch.rand(n, 2, generator=rng)
    base = 0.2 + 0.1 * torch.rand(n, 1, generator=rng)
    curve = base + scale[:, :1] * morning + scale[:, 1:] * evening
    return curve + 0.03 * torch.randn(n, SLOTS, generator=rng).abs(), kind


class LoadGAN:
    def __init__(self, lr=4e-4):
        self.gen, self.critic = Generator(), Critic()
        self.opt_gen = torch.optim.Adam(self.gen.parameters(), lr, betas=(0.0, 0.9))
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), 2 * lr, betas=(0.0, 0.9))

    def fake(self, kind):
        return self.gen(torch.randn(len(kind), Z), kind)

    def critic_step(self, curve, kind):
        with torch.no_grad():
            fake = self.fake(kind)
        loss = F.relu(1 - self.critic(curve, kind)).mean() + F.relu(1 + self.critic(fake, kind)).mean()
        self.opt_critic.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt_critic.step()
        return loss.item()

    def generator_step(self, kind):
        loss = -self.critic(self.fake(kind), kind).mean()
        self.opt_gen.zero_grad()
        loss.backward()
        self.opt_gen.step()
        return loss.item()

    @torch.no_grad()
    def peak_gap(self, curve, kind):
        return (self.fake(kind).mean(0) - curve.mean(0)).abs().max().item()


def main():
    torch.manual_seed(314)
    rng = torch.Generator().manual_seed(159)
    gan = LoadGAN()
    for step in range(240):
        curve, kind = sample_households(32, rng)
        c = gan.critic_step(curve, kind)
        g = gan.generator_step(kind)
        if step % 60 == 0:
            print(f"{step}: critic {c:.3f}, generator {g:.3f}, worst slot gap {gan.peak_gap(curve, kind):.3f}")


if __name__ == "__main__":
    main()
