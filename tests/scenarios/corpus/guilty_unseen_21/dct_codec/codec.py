import math

import torch
import torch.nn.functional as F
from torch import nn


def dct_matrix(n):
    k = torch.arange(n).float()
    m = torch.cos(math.pi / n * (k[None, :] + 0.5) * k[:, None]) * math.sqrt(2 / n)
    m[0] /= math.sqrt(2)
    return m


class BufferController:
    """Virtual decoder buffer: fills with what is spent above the budget."""

    def __init__(self, budget, gain):
        self.budget = budget
        self.gain = gain
        self.fullness = torch.zeros(())

    def pressure(self, bits):
        level = self.fullness + self.gain * (bits - self.budget)
        self.fullness = level  # <- culprit
        return F.softplus(level)


class CodecTask(nn.Module):
    def __init__(self, budget, trade_off):
        super().__init__()
        self.register_buffer("dct", dct_matrix(8))
        self.log_step = nn.Parameter(torch.full((64,), -1.5))
        self.log_scale = nn.Parameter(torch.zeros(64))
        self.trade_off = trade_off
        self.controller = BufferController(budget, gain=0.05)

    def bits(self, symbols):
        scale = self.log_scale.exp()
        nats = symbols.abs() / scale + (2 * scale + 1).log()
        return nats.mean() / math.log(2)

    def forward(self, blocks):
        coeff = (self.dct @ blocks @ self.dct.T).flatten(1)
        step = self.log_step.exp()
        symbols = coeff / step + torch.rand_like(coeff) - 0.5
        distortion = (symbols * step - coeff).pow(2).mean()
        bits = self.bits(symbols)
        pressure = self.controller.pressure(bits)
        terms = {"distortion": distortion * 64, "rate": self.trade_off * (bits + pressure)}
        scalars = {
            "distortion": distortion.item(),
            "bits": bits.item(),
            "buffer": self.controller.fullness.item(),
        }
        return terms, scalars
