from dataclasses import dataclass, replace

import torch
from torch import nn

CELLS = {}


def cell(name):
    def add(cls):
        CELLS[name] = cls
        return cls

    return add


@dataclass
class Bundle:
    quick: torch.Tensor
    slow: torch.Tensor
    strain: torch.Tensor

    def cut(self):
        return replace(self, quick=self.quick.detach(), slow=self.slow.detach())  # <- culprit


class SeismicCell(nn.Module):
    def rest(self, stations):
        raise NotImplementedError


@cell("triple")
class TripleStateCell(SeismicCell):
    def __init__(self, channels, width):
        super().__init__()
        self.width = width
        self.gates = nn.Linear(channels + width, 3 * width)
        self.leak = nn.Linear(channels, width)
        self.couple = nn.Linear(width, width, bias=False)

    def rest(self, stations):
        zeros = torch.zeros(stations, self.width)
        return Bundle(zeros, zeros, zeros)

    def forward(self, ground, bundle):
        mixed = self.gates(torch.cat([ground, bundle.quick], dim=1))
        keep, write, show = mixed.chunk(3, dim=1)
        hold = torch.sigmoid(self.leak(ground) + 2.0)
        strain = hold * bundle.strain + (1 - hold) * torch.tanh(bundle.quick)
        slow = torch.sigmoid(keep) * bundle.slow + torch.tanh(write)
        quick = torch.sigmoid(show) * torch.tanh(slow + self.couple(strain))
        return Bundle(quick, slow, strain)
