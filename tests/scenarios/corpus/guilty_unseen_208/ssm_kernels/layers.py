"""Diagonal state-space layer computed as a long convolution (S4D-style)."""
import math

import torch
from torch import nn

_KERNELS: dict = {}


def fft_conv(u, k):
    n = u.size(-1)
    uf = torch.fft.rfft(u, n=2 * n)
    kf = torch.fft.rfft(k, n=2 * n)
    return torch.fft.irfft(uf * kf, n=2 * n)[..., :n]


class DiagSSM(nn.Module):
    def __init__(self, channels, states=8, dt_min=1e-2, dt_max=1e-1):
        super().__init__()
        span = math.log(dt_max) - math.log(dt_min)
        self.log_dt = nn.Parameter(torch.rand(channels) * span + math.log(dt_min))
        self.log_decay = nn.Parameter(torch.log(0.5 + torch.arange(states).float()).repeat(channels, 1))
        self.mix = nn.Parameter(torch.randn(channels, states) / math.sqrt(states))
        self.skip = nn.Parameter(torch.ones(channels))

    def _materialize(self, length):
        dt = self.log_dt.exp()[:, None]
        rate = -self.log_decay.exp() * dt
        steps = torch.arange(length, dtype=rate.dtype)
        powers = torch.exp(rate[..., None] * steps)
        return torch.einsum("cs,csl->cl", self.mix * dt, powers)

    def kernel(self, length):
        key = (id(self), length, self.mix._version)
        if key not in _KERNELS:
            _KERNELS[key] = self._materialize(length)  # <- culprit
        return _KERNELS[key]

    def forward(self, u):
        return fft_conv(u, self.kernel(u.size(-1))) + self.skip[:, None] * u


class SSMBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.GroupNorm(1, channels)
        self.ssm = DiagSSM(channels)
        self.out = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        return x + self.out(torch.nn.functional.gelu(self.ssm(self.norm(x))))
