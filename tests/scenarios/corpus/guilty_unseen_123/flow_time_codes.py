# gradwatch-corpus: kind=graph-held
# holder: VelocityField.time_code | field.time_code | time_code
# first-bad: 1
# notice: 8
from functools import lru_cache
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(70)


class VelocityField(nn.Module):
    """Flow matching on the plane. The time code is asked for by every block, hence the cache."""

    def __init__(self, width=16, blocks=3):
        super().__init__()
        self.lift = nn.Linear(2, width)
        self.time_mlp = nn.Sequential(nn.Linear(6, width), nn.SiLU(), nn.Linear(width, width))
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.drop = nn.Linear(width, 2)

    @lru_cache(maxsize=None)  # <- culprit
    def time_code(self, t: float):
        waves = [f(2**k * math.pi * t) for k in range(3) for f in (math.sin, math.cos)]
        return self.time_mlp(torch.tensor([waves]))

    def forward(self, x, t: float):
        h = self.lift(x)
        for block in self.blocks:
            h = h + torch.nn.functional.silu(block(h) + self.time_code(t))
        return self.drop(h)


def two_moons(n):
    a = math.pi * torch.rand(n)
    side = (torch.rand(n) > 0.5).float()
    x = torch.cos(a) * (1 - 2 * side) + side
    y = torch.sin(a) * (1 - 2 * side) + 0.5 * side
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


def train(field, steps, lr):
    opt = torch.optim.Adam(field.parameters(), lr=lr)
    for s in range(steps):
        data, noise, t = two_moons(24), torch.randn(24, 2), torch.rand(()).item()
        bridge = (1 - t) * noise + t * data
        loss = (field(bridge, t) - (data - noise)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (s + 1) % 90 == 0:
            print(s + 1, loss.item())


field = VelocityField()
train(field, 360, 2e-3)
