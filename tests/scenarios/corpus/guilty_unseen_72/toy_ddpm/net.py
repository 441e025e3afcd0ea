import torch
import torch.nn as nn


class EpsNet(nn.Module):
    def __init__(self, timesteps, width=48):
        super().__init__()
        self.t_emb = nn.Embedding(timesteps, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t):
        return self.mid(self.inp(x) + self.t_emb(t))
