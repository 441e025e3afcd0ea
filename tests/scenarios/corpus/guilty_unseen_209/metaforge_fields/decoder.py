import math

import torch
from torch import Tensor, nn


class Decoder(nn.Module):
    def __init__(self, code: int, width: int = 24, freqs: int = 3) -> None:
        super().__init__()
        self.register_buffer("bands", 2.0 ** torch.arange(freqs) * math.pi)
        self.mod = nn.Linear(code, width)
        self.inp = nn.Linear(2 * freqs, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        return self.out(self.features(x, z))

    def features(self, x: Tensor, z: Tensor) -> Tensor:
        phase = x * self.bands
        waves = torch.cat([phase.sin(), phase.cos()], -1)
        return torch.sin(self.inp(waves) + 2 * self.mod(z)[:, None])


def sample_signal(n: int, k: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, k, 1, generator=g) * 2 - 1
    shift = torch.arange(n).view(n, 1, 1) * 0.3
    return x, torch.sin(math.pi * (x + shift)) + 0.3 * torch.cos(2 * math.pi * x * (1 + shift))


@torch.no_grad()
def calibrate(dec: Decoder, n: int, k: int = 64) -> None:
    """Least-squares readout over random features, for a random code per signal."""
    x, y = sample_signal(n, k, 7_000)
    z = torch.randn(n, dec.mod.in_features)
    h = dec.features(x, z).flatten(0, 1)
    h = torch.cat([h, torch.ones(len(h), 1)], -1)
    ridge = 1e-2 * torch.eye(h.shape[1])
    w = torch.linalg.solve(h.t() @ h + ridge, h.t() @ y.flatten(0, 1))
    dec.out.weight.copy_(w[:-1].t())
    dec.out.bias.copy_(w[-1])
