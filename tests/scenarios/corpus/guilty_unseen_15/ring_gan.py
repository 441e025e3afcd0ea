# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Autoencoder with an adversarial critic on points of eight Gaussians on a ring.
The critic joins in after a short reconstruction-only warm-up."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Opts:
    seed: int = 31
    batch: int = 64
    latent: int = 2
    width: int = 48
    iters: int = 300
    warmup: int = 20
    lr_ae: float = 2e-3
    lr_critic: float = 1e-3
    kl_weight: float = 0.01
    adv_weight: float = 0.1


def ring_points(n, gen):
    k = torch.randint(0, 8, (n,), generator=gen)
    angle = k.float() * math.pi / 4
    centre = torch.stack([angle.cos(), angle.sin()], dim=1) * 2
    return centre + 0.08 * torch.randn(n, 2, generator=gen)


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


class AutoEncoder(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.enc = mlp(2, o.width, o.width, 2 * o.latent)
        self.dec = mlp(o.latent, o.width, o.width, 2)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(1).mean()
        return self.dec(z), kl


@dataclass
class Verdict:
    """What the critic thinks of a batch, for both sides."""
    critic_loss: torch.Tensor
    fool_loss: torch.Tensor


class Critic(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.net = mlp(2, o.width, o.width, 1)

    def judge(self, real, fake):
        on_real = self.net(real)
        on_fake = self.net(fake.detach())
        critic_loss = F.softplus(-on_real).mean() + F.softplus(on_fake).mean()
        fool_loss = F.softplus(-self.net(fake)).mean()  # <- culprit
        return Verdict(critic_loss, fool_loss)


class Session:
    def __init__(self, o):
        self.o = o
        self.gen = torch.Generator().manual_seed(o.seed)
        self.ae = AutoEncoder(o)
        self.critic = Critic(o)
        self.opt_ae = torch.optim.Adam(self.ae.parameters(), lr=o.lr_ae)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=o.lr_critic, betas=(0.5, 0.9))

    def update_critic(self, loss):
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()  # <- culprit

    def update_ae(self, loss):
        self.opt_ae.zero_grad()
        loss.backward()
        self.opt_ae.step()

    def iteration(self, i):
        x = ring_points(self.o.batch, self.gen)
        recon, kl = self.ae(x)
        loss = F.mse_loss(recon, x) + self.o.kl_weight * kl
        if i >= self.o.warmup:
            verdict = self.critic.judge(x, recon)
            self.update_critic(verdict.critic_loss)
            loss = loss + self.o.adv_weight * verdict.fool_loss
        self.update_ae(loss)
        return loss.item()

    def run(self):
        for i in range(self.o.iters):
            value = self.iteration(i)
            if i % 10 == 0:
                print(f"{i:4d}  {value:.4f}")


if __name__ == "__main__":
    opts = Opts()
    torch.manual_seed(opts.seed)
    Session(opts).run()
