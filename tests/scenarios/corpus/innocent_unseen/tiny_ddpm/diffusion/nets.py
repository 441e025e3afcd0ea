import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, T, d=96):
        super().__init__()
        self.t = nn.Embedding(T, d)
        self.inp = nn.Linear(2, d)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(d, d), nn.SiLU(), nn.Linear(d, d))
        self.out = nn.Linear(d, 2)

    def forward(self, x, t):
        h = self.inp(x) + self.t(t)
        return self.out(torch.relu(h + self.mid(h)))
