import torch
import torch.nn as nn
from torch.distributions import Independent, Normal

from .prior import FullCovPrior


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.SiLU()]
    return nn.Sequential(*layers[:-1])


class ProfileVAE(nn.Module):
    def __init__(self, width, latent=6):
        super().__init__()
        self.encoder = mlp(width, 64, 2 * latent)
        self.decoder = mlp(latent, 64, width)
        self.prior = FullCovPrior(latent)
        self.log_noise = nn.Parameter(torch.tensor(-1.0))

    def posterior(self, x):
        mean, log_std = self.encoder(x).chunk(2, dim=-1)
        return Independent(Normal(mean, log_std.clamp(-5, 2).exp()), 1)

    def elbo(self, x, beta):
        q = self.posterior(x)
        z = q.rsample()
        recon = Independent(Normal(self.decoder(z), self.log_noise.exp()), 1).log_prob(x)
        kl = q.log_prob(z) - self.prior.log_prob(z)
        return recon.mean() - beta * kl.mean(), recon.mean().item(), kl.mean().item()
