"""Cosine noise schedule."""
import math

import torch


class CosineProcess:
    def __init__(self, steps):
        self.steps = steps
        u = (torch.arange(steps) + 0.5) / steps
        self.alpha_bar = torch.cos(u * math.pi / 2).pow(2).clamp(min=1e-4)

    def noisy(self, x0, t):
        a = self.alpha_bar[t].unsqueeze(-1)
        return a.sqrt() * x0 + (1 - a).sqrt() * torch.randn_like(x0)

    def weight(self, t):
        a = self.alpha_bar[t]
        return (a / (1 - a + 1e-4)).clamp(0.2, 5.0)
