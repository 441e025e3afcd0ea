# gradwatch-corpus: kind=crashed
# holder: dist
# first-bad: 0
# notice: 0
"""Metric learning of point-cloud shapes with batch-hard triplets."""
import numpy as np
import torch

torch.set_num_threads(1)
from torch import nn


class PointEncoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 16))
        self.proj = nn.Linear(16, dim)

    def forward(self, pts):
        return nn.functional.normalize(self.proj(self.local(pts).amax(1)), dim=-1)


def pairwise(z):
    z = np.asarray(z.detach())  # <- culprit
    sq = (z ** 2).sum(1)
    return torch.from_numpy(np.sqrt(np.maximum(sq[:, None] + sq[None] - 2 * z @ z.T, 1e-9)))


class BatchHard:
    def __init__(self, margin=0.3):
        self.margin = margin

    def __call__(self, z, y):
        dist = pairwise(z)
        same = y[:, None] == y[None]
        hardest_pos = dist.masked_fill(~same, 0.0).amax(1)
        hardest_neg = dist.masked_fill(same, float("inf")).amin(1)
        return torch.relu(self.margin + hardest_pos - hardest_neg).mean()


def shapes(per_class=4):
    y = torch.arange(4).repeat_interleave(per_class)
    scale = torch.tensor([[1.0, 1, 1], [2, 1, 1], [1, 2, 0.2], [0.2, 0.2, 3]])[y]
    pts = torch.randn(len(y), 24, 3)
    return pts / pts.norm(dim=-1, keepdim=True) * scale[:, None], y


def train(epochs=10, per_epoch=20):
    enc, miner = PointEncoder(), BatchHard()
    opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
    for e in range(epochs):
        for _ in range(per_epoch):
            pts, y = shapes()
            loss = miner(enc(pts), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(e, loss.item())


torch.manual_seed(40)
train()
