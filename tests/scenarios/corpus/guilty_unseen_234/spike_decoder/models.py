import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_cells, n_latent):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_cells, 32), nn.Tanh())
        self.mu = nn.Linear(32, n_latent)
        self.log_sd = nn.Linear(32, n_latent)

    def forward(self, counts):
        h = self.body(torch.log1p(counts))
        return self.mu(h), self.log_sd(h).clamp(-4.0, 1.0)


class Generator(nn.Module):
    def __init__(self, n_latent, n_cells):
        super().__init__()
        self.hidden = nn.Linear(n_latent, 32)
        self.out = nn.Linear(32, n_cells)

    def forward(self, z):
        return self.out(torch.tanh(self.hidden(z)))
