import torch
import torch.nn.functional as F


class InstanceBank:
    def __init__(self, n_items, dim, seed=0):
        gen = torch.Generator().manual_seed(seed)
        self.slots = F.normalize(torch.randn(n_items, dim, generator=gen), dim=1)
        self.writes = 0

    def scores(self, query, temperature):
        return query @ self.slots.t() / temperature

    def write(self, index, feature):
        self.slots = self.slots.index_copy(0, index, feature)  # <- culprit
        self.writes += index.numel()
