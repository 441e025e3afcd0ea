from collections import OrderedDict

import torch
from torch import nn


class FragmentEncoder(nn.Module):
    """Fingerprint encoder. The most recently used embeddings are kept for look-ups."""

    width = 16

    def __init__(self, fingerprints, capacity):
        super().__init__()
        self.register_buffer("fp", fingerprints)
        self.net = nn.Sequential(nn.Linear(fingerprints.shape[1], 32), nn.ReLU(), nn.Linear(32, self.width))
        self.capacity = capacity
        self.recent = OrderedDict()

    def embed(self, i):
        z = self.net(self.fp[i])
        self.recent[i] = z
        self.recent.move_to_end(i)
        while len(self.recent) > self.capacity:
            self.recent.popitem(last=False)
        return z

    @torch.no_grad()
    def nearest_cached(self, i):
        me = self.recent[i]
        others = [(torch.dist(me, z).item(), j) for j, z in self.recent.items() if j != i]
        return min(others)[1]


def solubility_head(width):
    return nn.Sequential(nn.Linear(width, 1), nn.Flatten(0))
