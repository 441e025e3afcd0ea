import torch
from torch import nn


class ValueNet(nn.Module):
    def __init__(self, n_assets, width):
        super().__init__()
        self.register_buffer("mean", torch.ones(n_assets))
        self.register_buffer("std", torch.full((n_assets,), 0.2))
        self.register_buffer("scale", torch.full((n_assets,), 0.2))
        self.body = nn.Sequential(nn.Linear(n_assets, width), nn.Softplus(), nn.Linear(width, width),
                                  nn.Softplus(), nn.Linear(width, 1))

    def on_bar(self, spot, pathwise):
        self.mean.mul_(0.95).add_(spot.mean(0), alpha=0.05)
        self.std.mul_(0.95).add_(spot.std(0), alpha=0.05)
        self.scale.mul_(0.95).add_(pathwise.square().mean(0).sqrt().clamp(min=0.05), alpha=0.05)

    def forward(self, spot):
        return self.body((spot - self.mean) / self.std).squeeze(-1)
