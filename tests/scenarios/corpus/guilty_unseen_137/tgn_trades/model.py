import torch
from torch import nn


class DeskMemory(nn.Module):
    def __init__(self, desks, width):
        super().__init__()
        self.desks = desks
        self.message = nn.Linear(4, width)
        self.table = torch.zeros(desks, width)

    def write(self, who, feat):
        inc = torch.zeros_like(self.table).index_add(0, who, torch.tanh(self.message(feat)))
        self.table = 0.9 * self.table + inc  # <- culprit


class LinkScorer(nn.Module):
    def __init__(self, desks, width):
        super().__init__()
        self.memory = DeskMemory(desks, width)
        self.desk = nn.Embedding(desks, width)
        self.pair = nn.Sequential(nn.Linear(2 * width, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, a, b):
        look = lambda i: self.memory.table[i] + self.desk(i)
        return self.pair(torch.cat([look(a), look(b)], 1)).squeeze(1)
