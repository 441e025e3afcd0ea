import torch
from torch import nn

from .base import Leaky


class LeakyCells(Leaky):
    def __init__(self, inputs, lanes, cells, decay=0.8, threshold=0.3):
        super().__init__(lanes, cells, decay)
        self.synapse = nn.Linear(inputs, cells)
        self.threshold = threshold

    def forward(self, x):
        spikes = []
        for frame in x.unbind(1):
            level = self.leak_in(self.synapse(frame))
            spikes.append(torch.sigmoid(8 * (level - self.threshold)))
        return torch.stack(spikes, 1)


class SpikeReader(nn.Module):
    def __init__(self, inputs, cells, classes, lanes):
        super().__init__()
        self.cells = LeakyCells(inputs, lanes, cells)
        self.readout = nn.Linear(cells, classes)

    def forward(self, x):
        spikes = self.cells(x)
        return self.readout(spikes.mean(1)), spikes.mean()
