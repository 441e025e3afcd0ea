import torch
from torch import nn
import torch.nn.functional as F


class GalaxyClassifier(nn.Module):
    """Distance-to-prototype classifier whose prototypes stay near a slow anchor."""

    def __init__(self, features=10, classes=4, dim=8, decay=0.95):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(features, 24), nn.GELU(), nn.Linear(24, dim))
        self.prototypes = nn.Parameter(torch.randn(classes, dim))
        self.decay = decay
        self.anchor = self.prototypes.detach().clone()

    def forward(self, x):
        z = self.encoder(x)
        return -torch.cdist(z, self.prototypes)

    def update_anchor(self):
        self.anchor = torch.lerp(self.anchor, self.prototypes, 1 - self.decay)  # <- culprit

    def loss(self, x, y, pull=0.1):
        ce = F.cross_entropy(self(x), y)
        drift = (self.prototypes - self.anchor).pow(2).mean()
        return ce + pull * drift, ce
