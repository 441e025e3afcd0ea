from functools import cached_property

import torch
import torch.nn as nn


class LearnedSchedule(nn.Module):
    """Monotone log-SNR schedule in the spirit of variational diffusion models."""

    def __init__(self, T, lo=-5.0, hi=5.0):
        super().__init__()
        self.T = T
        self.steps = nn.Parameter(torch.zeros(T))
        self.lo, self.hi = lo, hi

    @cached_property  # <- culprit
    def gamma(self):  # <- culprit
        inc = torch.softmax(self.steps, 0).cumsum(0)
        return self.lo + (self.hi - self.lo) * inc

    def alpha_sigma(self, t):
        g = self.gamma[t].unsqueeze(1)
        return torch.sigmoid(-g).sqrt(), torch.sigmoid(g).sqrt()

    def snr_weight(self, t):
        prev = self.gamma[(t - 1).clamp(min=0)]
        return torch.expm1(self.gamma[t] - prev).clamp(min=1e-3)
