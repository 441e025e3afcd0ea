# gradwatch-corpus: kind=none
"""WGAN-GP generating daily wind speed profiles."""
import math

import torch
from torch import autograd, nn


class Generator(nn.Module):
    def __init__(self, z=8, hours=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(z, 48),
            nn.LeakyReLU(0.2),
            nn.Linear(48, 48),
            nn.LeakyReLU(0.2),
            nn.Linear(48, hours),
        )

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, hours=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(hours, 64),
            nn.Softplus(),
            nn.Linear(64, 64),
            nn.Softplus(),
            nn.Linear(64, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(len(real), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    (grad,) = autograd.grad(score.sum(), mixed, create_graph=True)
    return (grad.norm(2, dim=1) - 1).pow(2).mean()


def profiles(n):
    hour = torch.arange(24).float()
    peak = 12 + 3 * torch.randn(n, 1)
    base = 0.5 * torch.rand(n, 1)
    wave = torch.cos((hour - peak) * 2 * math.pi / 24)
    return base + 0.6 * wave + 0.1 * torch.randn(n, 24)


class EMA:
    def __init__(self, module, rate):
        self.rate = rate
        self.shadow = {k: v.detach().clone() for k, v in module.state_dict().items()}

    @torch.no_grad()
    def update(self, module):
        for k, v in module.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.rate)


def main():
    torch.manual_seed(6)
    gen = Generator()
    critic = Critic()
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    ema = EMA(gen, 0.98)
    gap = 0.0
    snapshots = {}
    for it in range(150):
        real = profiles(64)
        with torch.no_grad():
            fake = gen(torch.randn(64, 8))
        w = critic(real).mean() - critic(fake).mean()
        gp = gradient_penalty(critic, real, fake)
        opt_c.zero_grad()
        (10 * gp - w).backward()
        opt_c.step()
        gap = 0.9 * gap + 0.1 * w.detach()
        if it % 3 == 2:
            critic.requires_grad_(False)
            loss_g = -critic(gen(torch.randn(64, 8))).mean()
            opt_g.zero_grad()
            loss_g.backward()
            opt_g.step()
            critic.requires_grad_(True)
            ema.update(gen)
        if it % 50 == 49:
            with torch.no_grad():
                snapshots[it] = gen(torch.randn(256, 8)).mean(0)
            print(it + 1, f"wasserstein {gap.item():.4f}")
    gen.load_state_dict(ema.shadow)
    last = snapshots[149]
    print("peak hour", int(last.argmax()))


if __name__ == "__main__":
    main()
