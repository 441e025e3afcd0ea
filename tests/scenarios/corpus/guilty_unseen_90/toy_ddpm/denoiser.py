import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.ff = nn.Linear(dim, dim)
        self.act = nn.GELU()

    def forward(self, x):
        return x + self.act(self.ff(x))


class Denoiser(nn.Module):
    def __init__(self, timesteps, dim=48):
        super().__init__()
        self.time = nn.Embedding(timesteps, dim)
        self.inp = nn.Linear(2, dim)
        self.blocks = nn.Sequential(Block(dim), Block(dim))
        self.out = nn.Linear(dim, 2)

    def forward(self, x, t):
        return self.out(self.blocks(self.inp(x) + self.time(t)))
