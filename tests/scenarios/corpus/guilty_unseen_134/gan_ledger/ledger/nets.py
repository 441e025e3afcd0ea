import torch
import torch.nn.functional as F
from torch import nn


class Generator(nn.Module):
    def __init__(self, noise, data):
        super().__init__()
        self.noise, self.amounts = noise, data.amounts
        self.net = nn.Sequential(nn.Linear(noise, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, data.width))

    def forward(self, n):
        out = self.net(torch.randn(n, self.noise))
        return torch.cat([out[:, :self.amounts], F.gumbel_softmax(out[:, self.amounts:], tau=0.5)], 1)


class Discriminator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 24), nn.LeakyReLU(0.2), nn.Dropout(0.2), nn.Linear(24, 1))

    def forward(self, rows):
        return self.net(rows).squeeze(-1)
