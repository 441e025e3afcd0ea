import torch
from torch import nn
from typing import NamedTuple


class Out(NamedTuple):
    recon: torch.Tensor
    mu: torch.Tensor
    logvar: torch.Tensor


class VAE(nn.Module):
    def __init__(self, d, z):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, d))

    def encode(self, x):
        return self.enc(x).chunk(2, -1)

    def forward(self, x):
        mu, lv = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return Out(self.dec(z), mu, lv)


def elbo(o, x):
    rec = (o.recon - x).pow(2).sum(1).mean()
    kl = -0.5 * (1 + o.logvar - o.mu.pow(2) - o.logvar.exp()).sum(1).mean()
    return rec, kl
