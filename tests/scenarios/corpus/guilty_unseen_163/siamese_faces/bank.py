import torch


class NegativeMiner:
    """Remembers the embedding each identity had last and proposes the nearest other identity."""

    def __init__(self):
        self.store = {}

    def remember(self, ids, emb):
        for i, e in zip(ids.tolist(), emb):
            self.store[i] = e  # <- culprit

    @torch.no_grad()
    def propose(self, ids, emb):
        if len(self.store) < 8:
            return None
        keys = torch.tensor(list(self.store))
        table = torch.stack(list(self.store.values()))
        dist = torch.cdist(emb, table)
        dist[ids[:, None] == keys[None, :]] = float("inf")
        return keys[dist.argmin(1)]
