import torch
from torch import nn


def gaussian_kl(mu, logvar):
    return 0.5 * (mu.square() + logvar.exp() - 1.0 - logvar)


class ConvFreeVAE(nn.Module):
    def __init__(self, pixels, latent, hidden=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(pixels, hidden), nn.SiLU(), nn.Linear(hidden, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, pixels))

    def encode(self, x):
        return self.enc(x).chunk(2, dim=-1)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar
