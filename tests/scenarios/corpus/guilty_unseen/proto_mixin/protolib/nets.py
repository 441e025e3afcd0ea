import torch
import torch.nn.functional as F
from torch import nn

from .mixins import SmoothedPrototypes


class ProtoClassifier(SmoothedPrototypes, nn.Module):
    def __init__(self, in_dim, emb, classes):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(in_dim, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, emb))
        self.init_prototypes(classes, emb)

    def forward(self, x):
        z = self.enc(x)
        c = self.refresh_centers()  # <- culprit
        diff = z.unsqueeze(1) - c.unsqueeze(0)
        return -(diff ** 2).sum(-1) / z.size(-1)

    def loss(self, x, y):
        return F.cross_entropy(self(x), y)
