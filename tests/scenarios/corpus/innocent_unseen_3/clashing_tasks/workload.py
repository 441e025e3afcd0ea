import torch
from torch import nn


class Workload(nn.Module):
    """One trunk, several regression heads that pull in different directions."""

    def __init__(self, tasks, d=20, w=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(w, 1) for _ in range(tasks))
        self.register_buffer("truth", torch.randn(tasks, d, 2) / 3)

    def draw(self, n):
        x = torch.randn(n, self.truth.shape[1])
        p = torch.einsum("nd,tdk->tnk", x, self.truth)
        sign = torch.tensor([1., -1.]).repeat(len(self.truth))[: len(self.truth), None]
        return x, sign * p[..., 0] * torch.cos(p[..., 1])

    def losses(self, x, ys):
        h = self.trunk(x)
        return [(head(h).squeeze(1) - y).square().mean() for head, y in zip(self.heads, ys)]
