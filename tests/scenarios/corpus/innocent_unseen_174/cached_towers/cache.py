"""Keeps tower outputs so that an entity that appears several times is encoded once."""
import torch


class TowerCache:
    def __init__(self, tower):
        self.tower = tower
        self.rows = {}
        self.hits = 0
        self.misses = 0

    def fetch(self, ids, table):
        missing = [i for i in dict.fromkeys(ids.tolist()) if i not in self.rows]
        if missing:
            out = self.tower(table[torch.tensor(missing)])
            self.rows.update(zip(missing, out.unbind(0)))
        self.misses += len(missing)
        self.hits += len(ids) - len(missing)
        return torch.stack([self.rows[i] for i in ids.tolist()])

    def drop(self):
        self.rows.clear()


class CacheHousekeeping:
    """Optimizer hook: what was encoded with old weights goes."""

    def __init__(self, *caches):
        self.caches = caches

    def __call__(self, optimizer, args, kwargs):
        for cache in self.caches:
            cache.drop()
