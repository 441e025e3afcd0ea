import torch
from torch import nn


class FraudNet(nn.Module):
    def __init__(self, n_merchants, n_numeric, dim=12):
        super().__init__()
        self.merchant = nn.Embedding(n_merchants, dim)
        self.norm = nn.LayerNorm(n_numeric)
        self.mlp = nn.Sequential(
            nn.Linear(dim + n_numeric, 48),
            nn.SiLU(),
            nn.Linear(48, 24),
            nn.SiLU(),
            nn.Linear(24, 1),
        )

    def forward(self, merchant, numeric):
        x = torch.cat([self.merchant(merchant), self.norm(numeric)], dim=1)
        return self.mlp(x).squeeze(1)
