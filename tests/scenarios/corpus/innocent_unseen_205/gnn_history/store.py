import torch


class History:
    """Historical embeddings per layer (GNNAutoScale)."""

    def __init__(self, num_nodes, dim):
        self.emb = torch.zeros(num_nodes, dim)
        self.age = torch.zeros(num_nodes, dtype=torch.long)

    @torch.no_grad()
    def push(self, idx, values):
        self.emb[idx] = values
        self.age += 1
        self.age[idx] = 0

    def pull(self, idx):
        return self.emb[idx]


class BatchCache:
    def __init__(self):
        self._items = {}

    def get(self, key, make):
        if key not in self._items:
            self._items[key] = make()
        return self._items[key]
