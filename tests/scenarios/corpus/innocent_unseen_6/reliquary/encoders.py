import functools

import torch
from torch import nn
import torch.nn.functional as F


def enshrined(method):
    @functools.wraps(method)
    def wrapper(self, name, *args):
        if name not in self.shrine:
            self.shrine[name] = method(self, name, *args)
        return self.shrine[name]
    return wrapper


class Master(nn.Module):
    def __init__(self, size=40, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, dim))
        self.shrine = {}
        self.eval()

    @enshrined
    @torch.no_grad()
    def relic(self, name, sound):
        return F.normalize(self.net(sound), dim=-1)


class Apprentice(nn.Module):
    def __init__(self, size=40, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, sound):
        return F.normalize(self.net(sound), dim=-1)
