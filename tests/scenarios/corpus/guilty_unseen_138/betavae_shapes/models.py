import torch
from torch import nn


class BetaVAE(nn.Module):
    def __init__(self, n_in, n_hidden, n_latent):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_hidden), nn.ReLU())
        self.to_mu = nn.Linear(n_hidden, n_latent)
        self.to_logvar = nn.Linear(n_hidden, n_latent)
        self.dec = nn.Sequential(nn.Linear(n_latent, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_in))

    def reparameterize(self, mu, logvar):
        return mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.to_mu(h), self.to_logvar(h)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar
