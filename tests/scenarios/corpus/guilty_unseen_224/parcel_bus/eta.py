import torch
from torch import nn


class EtaNet(nn.Module):
    def __init__(self, n_zones, dim=12):
        super().__init__()
        self.src = nn.Embedding(n_zones, dim)
        self.dst = nn.Embedding(n_zones, dim)
        self.mlp = nn.Sequential(
            nn.Linear(2 * dim + 1, 64),
            nn.LeakyReLU(0.1),
            nn.Linear(64, 1),
            nn.Softplus(),
        )

    def forward(self, src, dst, hour):
        z = torch.cat([self.src(src), self.dst(dst), hour], dim=1)
        return self.mlp(z).squeeze(1)
