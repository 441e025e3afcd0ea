import torch
from torch import nn


class TemporalAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, states, mask):
        raw = self.score(states).squeeze(-1).masked_fill(~mask, float("-inf"))
        weights = raw.softmax(dim=1)
        return torch.einsum("bt,btd->bd", weights, states), weights


class GlossRecognizer(nn.Module):
    def __init__(self, joints, glosses, dim=40):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(joints * 2, dim), nn.LayerNorm(dim), nn.ReLU())
        self.conv = nn.Conv1d(dim, dim, kernel_size=5, padding=2)
        self.attend = TemporalAttention(dim)
        self.out = nn.Linear(dim, glosses)

    def forward(self, points, lengths):
        b, t = points.shape[:2]
        mask = torch.arange(t)[None, :] < lengths[:, None]
        h = self.embed(points.flatten(2))
        h = torch.relu(self.conv(h.transpose(1, 2)).transpose(1, 2)) + h
        pooled, weights = self.attend(h, mask)
        return self.out(pooled), weights
