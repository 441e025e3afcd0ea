import torch
from torch import nn

from .memory import NodeMemory


class LeakyUpdater(nn.Module):
    """memory <- keep * memory + message, with one learned rate per channel."""

    def __init__(self, n_features, width):
        super().__init__()
        self.message = nn.Linear(n_features, width)
        self.rate = nn.Parameter(torch.zeros(width))

    def forward(self, memory, features):
        keep = torch.sigmoid(self.rate)
        return keep * memory + (1 - keep) * torch.tanh(self.message(features))


class TransferDetector(nn.Module):
    def __init__(self, n_features, width):
        super().__init__()
        self.memory = NodeMemory(width)
        self.updater = LeakyUpdater(n_features, width)
        self.score = nn.Sequential(nn.Linear(2 * width + n_features, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, window):
        sides = []
        for nodes in (window.source, window.target):
            fresh = self.updater(self.memory.gather(nodes), window.features)
            for node, row in zip(nodes, fresh):
                self.memory.post(node, row)  # <- culprit
            sides.append(fresh)
        return self.score(torch.cat([*sides, window.features], dim=1)).squeeze(1)
