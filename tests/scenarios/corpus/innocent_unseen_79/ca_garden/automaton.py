import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


def glyph(side):
    y, x = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    return (((x - y).abs() < 2) | ((x + y - side + 1).abs() < 2)).float()


class Automaton(nn.Module):
    def __init__(self, channels, hidden=32):
        super().__init__()
        self.perceive = nn.Conv2d(channels, 3 * channels, 3, padding=1, groups=channels, bias=False)
        self.think = nn.Conv2d(3 * channels, hidden, 1)
        self.act = nn.Conv2d(hidden, channels, 1, bias=False)
        nn.init.zeros_(self.act.weight)

    def tick(self, grid):
        delta = self.act(F.relu(self.think(self.perceive(grid))))
        fire = (torch.rand(grid.shape[0], 1, *grid.shape[2:]) < 0.7).float()
        return (grid + fire * delta).clamp(-2, 2)

    def segment(self, grid, n):
        for _ in range(n):
            grid = self.tick(grid)
        return grid

    def forward(self, grid, ticks, every=4):
        frames = []
        while ticks > 0:
            n = min(every, ticks)
            grid = checkpoint(self.segment, grid, n, use_reentrant=False)
            frames.append(grid)
            ticks -= n
        return frames
