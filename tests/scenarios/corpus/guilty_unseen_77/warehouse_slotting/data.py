import torch


class OrderStream:
    """Orders from a warehouse whose hot SKUs slowly change."""

    def __init__(self, n_sku, n_aisle, batch):
        self.n_sku, self.n_aisle, self.batch = n_sku, n_aisle, batch
        g = torch.Generator().manual_seed(17)
        self.sku_time = torch.rand(n_sku, generator=g) * 2
        self.aisle_time = torch.rand(n_aisle, generator=g) * 3
        self.popularity = torch.rand(n_sku, generator=g) + 0.05
        self.gen = g

    def drift(self):
        self.popularity = self.popularity.roll(1)

    def draw(self):
        sku = torch.multinomial(self.popularity, self.batch, replacement=True, generator=self.gen)
        aisle = torch.randint(self.n_aisle, (self.batch,), generator=self.gen)
        extra = torch.rand(self.batch, 3, generator=self.gen)
        noise = 0.1 * torch.randn(self.batch, generator=self.gen)
        y = self.sku_time[sku] + self.aisle_time[aisle] + extra.sum(1) + noise
        return sku, aisle, extra, y
