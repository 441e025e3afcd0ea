from collections import namedtuple

import torch

Batch = namedtuple("Batch", "sources destinations negatives edge time")


class InteractionStream:
    def __init__(self, nodes, edge_dim, batch_size, batches, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.nodes, self.edge_dim = nodes, edge_dim
        self.batch_size, self.batches = batch_size, batches

    def _pick(self, low, high):
        return torch.randint(low, high, (self.batch_size,), generator=self.gen).tolist()

    def __iter__(self):
        half = self.nodes // 2
        for b in range(self.batches):
            src = self._pick(0, half)
            dst = [half + (s * 7) % half for s in src]
            edge = torch.randn(self.batch_size, self.edge_dim, generator=self.gen)
            edge[:, 0] += torch.tensor(src) / half
            yield Batch(src, dst, self._pick(half, self.nodes), edge, float(b + 1))
