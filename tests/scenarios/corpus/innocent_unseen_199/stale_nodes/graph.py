import torch


class Community:
    def __init__(self, n, k, seed):
        self.gen = g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(k, (n,), generator=g)
        self.features = torch.randn(k, 10, generator=g)[self.labels] * 0.5 + torch.randn(n, 10, generator=g)
        same = self.labels[:, None] == self.labels[None]
        prob = torch.where(same, 0.08, 0.01)
        adj = torch.rand(n, n, generator=g) < prob
        self.neighbours = [row.nonzero().flatten().tolist() for row in adj]
        self.n = n

    def batch(self, size):
        return torch.randperm(self.n, generator=self.gen)[:size]
