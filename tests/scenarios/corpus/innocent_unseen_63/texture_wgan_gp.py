# gradwatch-corpus: kind=none
"""WGAN-GP on tiny procedural textures (defect synthesis for an inspection line)."""
import argparse

import torch
from torch import nn


def textures(n, size=8):
    """Stripes of random frequency and orientation."""
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    angle = torch.rand(n, 1, 1) * 3.1416
    freq = 0.6 + torch.rand(n, 1, 1) * 0.6
    return torch.sin(freq * (xx * angle.cos() + yy * angle.sin())).unsqueeze(1)


class Generator(nn.Module):
    def __init__(self, z_dim):
        super().__init__()
        self.fc = nn.Linear(z_dim, 16 * 4 * 4)
        self.up = nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1)
        self.out = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, z):
        x = torch.relu(self.fc(z)).view(-1, 16, 4, 4)
        return torch.tanh(self.out(torch.relu(self.up(x))))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 12, 3, stride=2, padding=1), nn.SiLU(),
            nn.Conv2d(12, 16, 3, stride=2, padding=1), nn.SiLU(),
            nn.Flatten(), nn.Linear(16 * 4, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(real.size(0), 1, 1, 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (grad.flatten(1).norm(dim=1) - 1).pow(2).mean()


class WGAN:
    def __init__(self, z_dim, lr, gp_weight):
        self.z_dim = z_dim
        self.gp_weight = gp_weight
        self.gen = Generator(z_dim)
        self.critic = Critic()
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.9))
        self.ema = {k: v.clone() for k, v in self.gen.state_dict().items()}

    def critic_step(self, real):
        fake = self.gen(torch.randn(real.size(0), self.z_dim)).detach()
        wdist = self.critic(real).mean() - self.critic(fake).mean()
        penalty = gradient_penalty(self.critic, real, fake)
        loss = -wdist + self.gp_weight * penalty
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return wdist.item(), penalty.item()

    def generator_step(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.gen(torch.randn(n, self.z_dim))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        for name, value in self.gen.state_dict().items():
            self.ema[name].lerp_(value, 0.02)
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--critic-steps", type=int, default=2)
    ap.add_argument("--batch", type=int, default=16)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    gan = WGAN(z_dim=8, lr=1e-3, gp_weight=10.0)
    curve = {"wdist": [], "penalty": [], "gen": []}
    for step in range(args.steps):
        for _ in range(args.critic_steps):
            wdist, penalty = gan.critic_step(textures(args.batch))
        curve["wdist"].append(wdist)
        curve["penalty"].append(penalty)
        curve["gen"].append(gan.generator_step(args.batch))
        if (step + 1) % 30 == 0:
            print(step + 1, {k: round(sum(v[-30:]) / 30, 4) for k, v in curve.items()})


if __name__ == "__main__":
    main()
