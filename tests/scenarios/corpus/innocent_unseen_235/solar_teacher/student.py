from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class MixerBlock(nn.Module):
    def __init__(self, steps: int, width: int) -> None:
        super().__init__()
        self.norm_t = nn.LayerNorm(width)
        self.time = nn.Sequential(nn.Linear(steps, 2 * steps), nn.GELU(), nn.Linear(2 * steps, steps))
        self.norm_c = nn.LayerNorm(width)
        self.chan = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.time(self.norm_t(x).transpose(1, 2)).transpose(1, 2)
        return x + self.chan(self.norm_c(x))


class SolarMixer(nn.Module):
    def __init__(self, steps: int, inputs: int, horizon: int, width: int = 24, depth: int = 2) -> None:
        super().__init__()
        self.embed = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(MixerBlock(steps, width) for _ in range(depth))
        self.head = nn.Linear(width, horizon)

    def forward(self, x: Tensor) -> Tensor:
        h = self.embed(x)
        for block in self.blocks:
            if torch.is_grad_enabled() and self.training:
                h = checkpoint(block, h, use_reentrant=False)
            else:
                h = block(h)
        return self.head(h.mean(dim=1))
