# gradwatch-corpus: kind=none
"""WGAN-GP for one-dimensional waveforms with several critic updates per generator update."""
from dataclasses import dataclass

import torch
from torch import autograd, nn, optim


@dataclass
class Hyper:
    latent: int = 6
    length: int = 32
    batch: int = 32
    critic_iters: int = 3
    penalty: float = 10.0
    lr: float = 5e-4
    rounds: int = 50


class Generator(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(hp.latent, 64), nn.ReLU(),
            nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, hp.length), nn.Tanh(),
        )

    def forward(self, z):
        return self.body(z)


class Critic(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, stride=2, padding=2), nn.LeakyReLU(0.2),
            nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.LeakyReLU(0.2),
        )
        self.score = nn.Linear(16 * hp.length // 4, 1)

    def forward(self, x):
        return self.score(self.conv(x.unsqueeze(1)).flatten(1)).squeeze(1)


def waves(hp):
    t = torch.linspace(0, 2 * torch.pi, hp.length)
    while True:
        freq = torch.randint(1, 4, (hp.batch, 1)).float()
        shift = torch.rand(hp.batch, 1) * 6.28
        yield 0.8 * torch.sin(freq * t + shift)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    (slope,) = autograd.grad(score.sum(), between, create_graph=True, retain_graph=True)
    return (slope.norm(2, dim=1) - 1).square().mean()


class Trainer:
    def __init__(self, hp):
        self.hp = hp
        self.gen, self.critic = Generator(hp), Critic(hp)
        self.g_opt = optim.Adam(self.gen.parameters(), lr=hp.lr, betas=(0.0, 0.9))
        self.c_opt = optim.Adam(self.critic.parameters(), lr=hp.lr, betas=(0.0, 0.9))
        self.data = waves(hp)

    def noise(self):
        return torch.randn(self.hp.batch, self.hp.latent)

    def critic_update(self):
        real = next(self.data)
        with torch.no_grad():
            fake = self.gen(self.noise())
        gp = gradient_penalty(self.critic, real, fake)
        distance = self.critic(real).mean() - self.critic(fake).mean()
        self.c_opt.zero_grad(set_to_none=True)
        (self.hp.penalty * gp - distance).backward()
        self.c_opt.step()
        return distance.item(), gp.item()

    def generator_update(self):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.gen(self.noise())).mean()
        self.g_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)
        return loss.item()

    def run(self):
        for r in range(self.hp.rounds):
            stats = [self.critic_update() for _ in range(self.hp.critic_iters)]
            g = self.generator_update()
            if r % 10 == 9:
                w, gp = (sum(c) / len(c) for c in zip(*stats))
                print(f"round {r + 1:3d} | W {w:+.3f} | gp {gp:.3f} | G {g:+.3f}")


if __name__ == "__main__":
    torch.manual_seed(27)
    Trainer(Hyper()).run()
