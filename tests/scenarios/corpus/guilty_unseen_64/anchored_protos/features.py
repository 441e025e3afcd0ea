"""Synthetic blobs and the encoder."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def blobs(batch, steps, dim=20, k=6, seed=0):
    g = torch.Generator().manual_seed(seed)
    centres = 2 * torch.randn(k, dim, generator=g)
    for _ in range(steps):
        y = torch.randint(0, k, (batch,), generator=g)
        clean = centres[y]
        yield (clean + 0.4 * torch.randn(batch, dim, generator=g),
               clean + 0.4 * torch.randn(batch, dim, generator=g))


class Encoder(nn.Module):
    def __init__(self, dim=20, out=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 40), nn.ReLU(), nn.Linear(40, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)
