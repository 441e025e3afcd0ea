import torch


class Cellar:
    def __init__(self, wines, tasters, dims):
        self.x = torch.randn(wines, dims)
        self.taste = torch.randn(1, dims) + 0.5 * torch.randn(tasters, dims)
        self.tasters = tasters

    def flight(self, n):
        t = torch.randint(0, self.tasters, (n,))
        a, b = torch.randint(0, len(self.x), (2, n))
        gap = ((self.x[a] - self.x[b]) * self.taste[t]).sum(1)
        corked = torch.rand(n) < (0.5 if torch.rand(()) < 0.06 else 0.03)
        return t, self.x[a] - self.x[b], torch.bernoulli(torch.sigmoid(2 * gap)), corked
