import torch.nn as nn


class SpectraNet(nn.Module):
    def __init__(self, width, feat, n_classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(width, 64), nn.GELU(),
            nn.Linear(64, feat), nn.LayerNorm(feat), nn.GELU(),
        )
        self.head = nn.Sequential(nn.Linear(feat, feat), nn.Tanh(), nn.Linear(feat, n_classes))

    def encode(self, x):
        return self.body(x)

    def forward(self, x):
        return self.head(self.body(x))
