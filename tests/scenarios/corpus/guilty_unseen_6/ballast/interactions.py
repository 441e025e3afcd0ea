import torch


class BasketLog:
    """Synthetic purchases from hidden tastes."""

    def __init__(self, shoppers, products, seed):
        g = torch.Generator().manual_seed(seed)
        taste = torch.randn(shoppers, 5, generator=g)
        trait = torch.randn(products, 5, generator=g)
        self.utility = taste @ trait.t()
        self.g = g

    def triples(self, batch, steps):
        shoppers, products = self.utility.shape
        for _ in range(steps):
            who = torch.randint(shoppers, (batch,), generator=self.g)
            a = torch.randint(products, (batch,), generator=self.g)
            b = torch.randint(products, (batch,), generator=self.g)
            first = self.utility[who, a] > self.utility[who, b]
            yield who, torch.where(first, a, b), torch.where(first, b, a)
