# gradwatch-corpus: kind=second-backward
# holder: fake | gen_out
# first-bad: 0
"""Noise synthesis for accelerometer traces (simultaneous hinge GAN)."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    steps: int = 150
    batch: int = 32
    length: int = 48
    zdim: int = 12
    lr_g: float = 2e-4
    lr_d: float = 4e-4
    seed: int = 11


class Generator(nn.Module):
    def __init__(self, zdim, length):
        super().__init__()
        self.length = length
        self.fc = nn.Linear(zdim, 8 * (length // 4))
        self.up = nn.Sequential(
            nn.ConvTranspose1d(8, 8, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.ConvTranspose1d(8, 1, 4, 2, 1),
        )

    def forward(self, z):
        h = F.leaky_relu(self.fc(z), 0.2)
        return self.up(h.view(z.size(0), 8, self.length // 4))


class Critic(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, 2, 2), nn.LeakyReLU(0.2),
            nn.Conv1d(8, 16, 5, 2, 2), nn.LeakyReLU(0.2),
        )
        self.out = nn.Linear(16 * (length // 4), 1)

    def forward(self, x):
        return self.out(self.conv(x).flatten(1)).squeeze(1)


def real_traces(n, length):
    t = torch.linspace(0, 1, length)
    freq = 2 + 3 * torch.rand(n, 1)
    phase = 2 * math.pi * torch.rand(n, 1)
    base = torch.sin(2 * math.pi * freq * t + phase)
    return (base + 0.1 * torch.randn(n, length)).unsqueeze(1)


def critic_loss(critic, real, gen_out):
    on_real = F.relu(1.0 - critic(real)).mean()
    on_fake = F.relu(1.0 + critic(gen_out)).mean()  # <- culprit
    return on_real + on_fake


def main(args):
    torch.manual_seed(args.seed)
    G, D = Generator(args.zdim, args.length), Critic(args.length)
    opt_g = torch.optim.Adam(G.parameters(), lr=args.lr_g, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=args.lr_d, betas=(0.5, 0.9))

    for step in range(args.steps):
        real = real_traces(args.batch, args.length)
        fake = G(torch.randn(args.batch, args.zdim))  # <- culprit

        d_loss = critic_loss(D, real, fake)  # <- culprit
        opt_d.zero_grad()
        d_loss.backward()  # <- culprit
        d_grads = [p.grad.clone() for p in D.parameters()]

        g_loss = -D(fake).mean()
        opt_g.zero_grad()
        g_loss.backward()  # <- culprit

        for p, g in zip(D.parameters(), d_grads):
            p.grad = g
        opt_d.step()
        opt_g.step()

        if step % 25 == 0:
            print(f"[{step:04d}] D {d_loss.item():.3f}  G {g_loss.item():.3f}")


if __name__ == "__main__":
    main(Args())
