"""Affine coupling with bounded log-scales."""
import torch
from torch import nn


class AffineCoupling(nn.Module):
    """y2 = x2 * exp(log_s(x1)) + t(x1), with log_s in (-gain, gain).

    A small gain keeps the first updates tame; a schedule may widen it later.
    """

    def __init__(self, dim: int, flip: bool, width: int = 32):
        super().__init__()
        self.half, self.flip, self.gain = dim // 2, flip, 1.0
        self.net = nn.Sequential(nn.Linear(self.half, width), nn.ReLU(), nn.Linear(width, 2 * self.half))

    def scale_and_shift(self, x1: torch.Tensor):
        raw, t = self.net(x1).chunk(2, dim=-1)
        log_s = torch.tanh(raw)  # <- culprit
        if self.gain != 1.0:
            log_s *= self.gain  # <- culprit
        return log_s, t

    def forward(self, x: torch.Tensor):
        x1, x2 = x.split(self.half, dim=-1)
        if self.flip:
            x1, x2 = x2, x1
        log_s, t = self.scale_and_shift(x1)
        y2 = x2 * log_s.exp() + t
        parts = (y2, x1) if self.flip else (x1, y2)
        return torch.cat(parts, dim=-1), log_s.sum(-1)
