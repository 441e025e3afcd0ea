import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, d=6, w=28):
        super().__init__()
        self.register_buffer("freq", torch.arange(1, 5).float())
        self.net = nn.Sequential(nn.Linear(d + 8, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, d))

    def forward(self, x, t):
        ang = t[:, None] * self.freq
        return self.net(torch.cat([x, ang.sin(), ang.cos()], 1))
