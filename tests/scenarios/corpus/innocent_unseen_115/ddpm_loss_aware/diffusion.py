import math

import torch
import torch.nn as nn


class Diffusion:
    def __init__(self, T):
        self.T = T
        betas = torch.linspace(1e-3, 0.2, T)
        self.abar = torch.cumprod(1 - betas, 0)

    def training_losses(self, model, x0, t):
        noise = torch.randn_like(x0)
        ab = self.abar[t][:, None]
        pred = model(ab.sqrt() * x0 + (1 - ab).sqrt() * noise, t / self.T)
        return (pred - noise).pow(2).mean(1)


class ScoreNet(nn.Module):
    def __init__(self, dim=2, hidden=40):
        super().__init__()
        self.t_proj = nn.Linear(4, hidden)
        self.x_proj = nn.Linear(dim, hidden)
        self.net = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        t = t[:, None].float()
        temb = torch.cat([t, t * t, torch.sin(math.pi * t), torch.cos(math.pi * t)], 1)
        return self.net(self.x_proj(x) + self.t_proj(temb))
