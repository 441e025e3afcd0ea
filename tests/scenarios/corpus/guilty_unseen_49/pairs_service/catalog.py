import torch


class Catalog:
    """Two noisy views of the same product."""

    def __init__(self, n_items, dim):
        self.items = torch.randn(n_items, dim)

    def pairs(self, size):
        pick = torch.randperm(len(self.items))[:size]
        base = self.items[pick]
        return base + 0.3 * torch.randn_like(base), base + 0.3 * torch.randn_like(base)
