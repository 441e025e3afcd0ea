import torch.nn.functional as F
from torch import nn


class Embedder(nn.Module):
    def __init__(self, dim=48, width=64, out=512):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(dim, width), nn.GELU(), nn.Linear(width, out))
        self.key = nn.Sequential(nn.Linear(dim, width), nn.GELU(), nn.Linear(width, out))

    def forward(self, a, b):
        return F.normalize(self.query(a), dim=-1), F.normalize(self.key(b), dim=-1)
