import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, c, dilation):
        super().__init__()
        self.conv = nn.Conv1d(c, c, 3, padding=dilation, dilation=dilation)
        self.norm = nn.GroupNorm(4, c)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class BeatNet(nn.Module):
    def __init__(self, c=16, depth=4, n_classes=3):
        super().__init__()
        self.stem = nn.Conv1d(1, c, 7, stride=2, padding=3)
        self.act = nn.ReLU()
        self.blocks = nn.ModuleList(Block(c, 2 ** i) for i in range(depth))
        self.head = nn.Linear(c, n_classes)

    def forward(self, x):
        h = self.act(self.stem(x))
        for block in self.blocks:
            h = checkpoint(block, h, use_reentrant=False)
        return self.head(h.mean(-1))
