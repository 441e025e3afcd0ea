import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, h):
        return torch.sigmoid(self.linear(h))


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.wide = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, h, gate):
        return h + gate * self.wide(self.norm(h))


class DeepStack(nn.Module):
    def __init__(self, inputs, width, depth):
        super().__init__()
        self.enter = nn.Linear(inputs, width)
        self.gates = nn.ModuleList(Gate(width) for _ in range(depth))
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.leave = nn.Linear(width, 1)

    def forward(self, x):
        h = self.enter(x)
        for gate, block in zip(self.gates, self.blocks):
            h = checkpoint(block, h, gate(h), use_reentrant=False)
        return self.leave(h)
