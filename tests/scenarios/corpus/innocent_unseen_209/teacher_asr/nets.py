import copy

import torch
from torch import nn


class FrameNet(nn.Module):
    def __init__(self, bins: int, width: int, classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(bins, width, 5, padding=2), nn.Mish(),
                                  nn.Conv1d(width, width, 5, padding=2), nn.Mish())
        self.out = nn.Conv1d(width, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.body(x))


class Teacher(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)

    def follow(self, student: nn.Module, momentum: float) -> None:
        for mine, theirs in zip(self.net.parameters(), student.parameters()):
            mine.data = momentum * mine.data + (1 - momentum) * theirs.data


def make_teacher(student: nn.Module) -> Teacher:
    return Teacher(copy.deepcopy(student)).requires_grad_(False)
