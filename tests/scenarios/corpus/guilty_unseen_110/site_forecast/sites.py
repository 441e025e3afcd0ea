import torch


class SiteStream:
    def __init__(self, dim, n_sites):
        base = torch.randn(dim)
        self.w = [base + 0.5 * torch.randn(dim) for _ in range(n_sites)]
        self.dim = dim

    def draw(self, site, n):
        x = torch.randn(n, self.dim)
        y = torch.tanh(x @ self.w[site]) + 0.05 * torch.randn(n)
        return x, y.unsqueeze(1)
