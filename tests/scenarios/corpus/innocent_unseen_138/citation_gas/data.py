import torch


class CitationGraph:
    def __init__(self, n, classes, d=10):
        self.n = n
        self.y = torch.randint(0, classes, (n,))
        self.x = torch.randn(classes, d)[self.y] * 0.6 + torch.randn(n, d)
        same = (self.y[:, None] == self.y[None]).float()
        adj = (torch.rand(n, n) < 0.15 * same + 0.02).float()
        adj = ((adj + adj.t()) > 0).float()
        self.A = adj / adj.sum(1, keepdim=True).clamp(min=1)

    def clusters(self, k, rng):
        return torch.randperm(self.n, generator=rng).chunk(k)
