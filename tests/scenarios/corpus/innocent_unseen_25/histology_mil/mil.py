import torch
from torch import nn


class GatedAttention(nn.Module):
    def __init__(self, dim, hidden=64, classes=3):
        super().__init__()
        self.proj = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU())
        self.v, self.u, self.w = nn.Linear(hidden, 32), nn.Linear(hidden, 32), nn.Linear(32, 1)
        self.cls = nn.Linear(hidden, classes)

    def forward(self, tiles):
        h = self.proj(tiles)
        a = self.w(torch.tanh(self.v(h)) * torch.sigmoid(self.u(h))).softmax(0)
        self.attention = a.detach()
        return self.cls((a * h).sum(0))
