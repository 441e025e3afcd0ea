import torch
from torch import nn
import torch.nn.functional as F


class GeneEncoder(nn.Module):
    def __init__(self, genes=200, dim=24):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(genes))
        self.body = nn.Sequential(nn.Linear(genes, 96), nn.LayerNorm(96), nn.SiLU(), nn.Linear(96, 48), nn.SiLU())
        self.proj = nn.Linear(48, dim)
        self.last_activation = None

    def forward(self, x):
        h = self.body(x * torch.sigmoid(self.gate))
        self.last_activation = h.detach().mean(0)
        return F.normalize(self.proj(h), dim=-1)
