import torch

NUMBERS = ["area", "rooms", "age", "garden"]


class Town:
    """Makes houses; every district has its own price level and its own taste."""

    def __init__(self, districts):
        self.districts = districts
        self.level = 2 + torch.rand(districts)
        self.taste = torch.randn(districts, len(NUMBERS)) * 0.2 + torch.tensor([1.0, 0.3, -0.4, 0.2])

    def houses(self, n):
        where = torch.randint(0, self.districts, (n,))
        numbers = torch.randn(n, len(NUMBERS))
        price = self.level[where] + (self.taste[where] * numbers).sum(1) + 0.1 * torch.randn(n)
        return where, numbers, price
