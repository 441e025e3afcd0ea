"""Conditional denoiser for 2-D point clouds."""
import torch
import torch.nn as nn


class LabelTower(nn.Module):
    def __init__(self, n_classes, width):
        super().__init__()
        self.emb = nn.Embedding(n_classes, width)
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))

    def forward(self, ids):
        e = self.emb(ids)
        return e + self.mlp(e)


class Denoiser(nn.Module):
    def __init__(self, n_classes=6, width=32, timesteps=50):
        super().__init__()
        self.label_tower = LabelTower(n_classes, width)
        self.time = nn.Embedding(timesteps, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))
        betas = torch.linspace(1e-4, 0.05, timesteps)
        self.register_buffer("alpha_bar", torch.cumprod(1 - betas, 0))

    def noisy(self, x, t, eps):
        a = self.alpha_bar[t][:, None]
        return a.sqrt() * x + (1 - a).sqrt() * eps

    def forward(self, x_t, t, cond):
        return self.mid(self.inp(x_t) + self.time(t) + cond)
