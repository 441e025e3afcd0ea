import copy

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, bins, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bins, 32), nn.ReLU(), nn.Linear(32, width))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


class SlowCopy(nn.Module):
    def __init__(self, source, momentum):
        super().__init__()
        self.net = copy.deepcopy(source)
        self.momentum = momentum

    @torch.no_grad()
    def follow(self, source):
        for slow, fast in zip(self.net.parameters(), source.parameters()):
            slow.mul_(self.momentum).add_(fast, alpha=1 - self.momentum)

    @torch.no_grad()
    def forward(self, x):
        return self.net(x)


def make_pair(bins, width, momentum=0.97):
    query = Encoder(bins, width)
    return query, SlowCopy(query, momentum)
