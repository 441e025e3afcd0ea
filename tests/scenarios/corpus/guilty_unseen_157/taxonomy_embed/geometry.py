import torch
from torch import nn


class PoincareEmbedding(nn.Module):
    def __init__(self, n_nodes, dim, eps=1e-4):
        super().__init__()
        self.points = nn.Parameter(0.05 * torch.randn(n_nodes, dim))
        self.eps = eps

    def forward(self, index):
        return self.points[index]

    def distance(self, a, b):
        gap = (a - b).pow(2).sum(-1)
        room = (1 - a.pow(2).sum(-1)) * (1 - b.pow(2).sum(-1))
        return torch.acosh(1 + 2 * gap / room.clamp_min(self.eps) + self.eps)

    def radius_penalty(self, points):
        return torch.relu(points.norm(dim=-1) - 0.9).mean()

    @torch.no_grad()
    def project_(self):
        norm = self.points.norm(dim=1, keepdim=True)
        limit = 1 - 1e-2
        self.points.mul_(torch.where(norm > limit, limit / norm, torch.ones_like(norm)))
