import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.c1 = nn.Conv1d(ch, ch, 3, padding=1)
        self.c2 = nn.Conv1d(ch, ch, 3, padding=1)
        self.act = nn.ReLU(inplace=True)

    def forward(self, h, mask):
        r = self.act(self.c1(h))
        r = self.c2(r)
        r *= mask
        r += h
        return self.act(r)


class RunningCentre(nn.Module):
    def __init__(self, ch, momentum=0.05):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(1, ch, 1))

    def forward(self, h):
        out = h - self.mean
        if self.training:
            with torch.no_grad():
                self.mean.lerp_(h.mean(dim=(0, 2), keepdim=True), self.momentum)
        return out


class MaskedResNet(nn.Module):
    def __init__(self, classes, ch=16, depth=2):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 5, padding=2)
        self.centre = RunningCentre(ch)
        self.blocks = nn.ModuleList(Block(ch) for _ in range(depth))
        self.score = nn.Linear(ch * 6, classes)

    def forward(self, x, mask):
        h = self.centre(self.stem(x))
        h *= mask
        for blk in self.blocks:
            h = blk(h, mask)
        h = h.unflatten(-1, (6, 8)).amax(-1)
        return self.score(h.flatten(1))
