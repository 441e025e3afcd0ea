import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, dim=64, hidden=768):
        super().__init__()
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        hidden = torch.relu(self.up(x))
        return hidden, self.down(hidden)


def patches(n, batch, dim=64, seed=30):
    g = torch.Generator().manual_seed(seed)
    basis = torch.randn(6, dim, generator=g) / 2
    for _ in range(n):
        yield torch.rand(batch, 6, generator=g) @ basis
