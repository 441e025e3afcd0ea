import itertools

import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.conv1 = nn.Conv1d(1, channels, 5, stride=2)
        self.conv2 = nn.Conv1d(channels, channels, 5, stride=2)
        self.level = nn.Linear(channels * 5, 1)
        self.high = nn.Linear(channels * 5, 2)

    def shared(self):
        return itertools.chain(self.conv1.parameters(), self.conv2.parameters())

    def features(self, x):
        return torch.tanh(self.conv2(torch.relu(self.conv1(x)))).flatten(1)
