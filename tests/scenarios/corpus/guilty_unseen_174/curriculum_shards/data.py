import torch


class ShardedCorpus:
    """Every shard is generated from its own seed, so nothing is kept in memory."""

    def __init__(self, n_shards, rows=32, dim=24):
        self.n_shards, self.rows, self.dim = n_shards, rows, dim
        g = torch.Generator().manual_seed(99)
        self.w = torch.randn(dim, generator=g)

    def load(self, shard):
        g = torch.Generator().manual_seed(1000 + shard)
        x = torch.randn(self.rows, self.dim, generator=g)
        noise = 0.1 + 0.9 * shard / self.n_shards
        y = torch.tanh(x @ self.w) + noise * torch.randn(self.rows, generator=g)
        return x, y
