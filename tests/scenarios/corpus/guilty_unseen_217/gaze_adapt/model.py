import torch
from torch import nn


class LandmarkEncoder(nn.Module):
    def __init__(self, n_landmarks, width):
        super().__init__()
        self.proj = nn.Linear(n_landmarks * 2, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, pts):
        return torch.tanh(self.norm(self.proj(pts.flatten(1))))


class GazeNet(nn.Module):
    def __init__(self, n_landmarks, width):
        super().__init__()
        self.n_landmarks, self.width = n_landmarks, width
        self.encoder = LandmarkEncoder(n_landmarks, width)
        self.temporal = nn.GRUCell(width, width)
        self.head = nn.Linear(width, 2)

    def init_hidden(self, n):
        return torch.zeros(n, self.width)

    def forward(self, pts, hidden):
        hidden = self.temporal(self.encoder(pts), hidden)
        return self.head(hidden), hidden
