import torch


class QueryLog:
    def __init__(self, dim, docs, seed):
        self.dim = dim
        self.docs = docs
        self.gen = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(dim, dim, generator=self.gen) / dim ** 0.5

    def sample(self, n):
        query = torch.randn(n, self.dim, generator=self.gen)
        docs = torch.randn(n, self.docs, self.dim, generator=self.gen)
        affinity = torch.einsum("nd,nkd->nk", query @ self.mix, docs)
        gains = (affinity / 2).clamp(0, 3).round()
        return query, docs, gains
