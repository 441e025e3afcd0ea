"""Fake quantization with a straight-through gradient."""
import torch


def fake_quant(x, bits=6):
    scale = x.detach().abs().max().clamp_min(1e-6) / (2 ** (bits - 1) - 1)
    q = torch.round(x / scale) * scale
    return x + (q - x).detach()


class QLinear(torch.nn.Linear):
    def forward(self, x):
        return torch.nn.functional.linear(x, fake_quant(self.weight), self.bias)
