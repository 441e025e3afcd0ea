import torch
from torch import nn


def build_student(dim, classes):
    return nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, classes))


def load_teacher(dim, classes):
    torch.manual_seed(99)
    net = nn.Sequential(
        nn.Linear(dim, 128), nn.GELU(),
        nn.Linear(128, 128), nn.GELU(),
        nn.Linear(128, classes),
    )
    return net.eval()  # <- culprit


class Guide:
    """Runs the big network once for each batch and remembers what it said."""

    def __init__(self, net):
        self.net = net
        self._store = {}

    def logits_for(self, key, x):
        if key not in self._store:
            self._store[key] = self.net(x)  # <- culprit
        return self._store[key]  # <- culprit
