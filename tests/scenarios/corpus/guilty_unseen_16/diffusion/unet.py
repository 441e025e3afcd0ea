import torch
from torch import nn


class Film(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.affine = nn.Linear(dim, 2 * width)

    def forward(self, h, emb):
        scale, shift = self.affine(emb)[:, :, None, None].chunk(2, dim=1)
        return h * (1 + scale) + shift


class Denoiser(nn.Module):
    def __init__(self, channels, levels, width=8, dim=16):
        super().__init__()
        self.time = nn.Sequential(nn.Embedding(levels, dim), nn.Linear(dim, dim), nn.SiLU())
        self.into = nn.Conv2d(channels, width, 3, stride=2, padding=1)
        self.film = Film(dim, width)
        self.mid = nn.Conv2d(width, width, 3, padding=1)
        self.up = nn.ConvTranspose2d(width, width, 4, stride=2, padding=1)
        self.out = nn.Conv2d(width + channels, channels, 1)
        self.act = nn.SiLU()

    def forward(self, x, t):
        h = self.act(self.film(self.into(x), self.time(t)))
        h = h + self.act(self.mid(h))
        return self.out(torch.cat([self.act(self.up(h)), x], dim=1))
