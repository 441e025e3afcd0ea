import torch


class BasketData:
    def __init__(self, items, months, size=4):
        self.items, self.months, self.size = items, months, size
        self.aisle = torch.arange(items) % 6
        self.season = torch.rand(months, 6)
        self.graphs = [self._graph(m) for m in range(months)]

    def _graph(self, m):
        same = (self.aisle[:, None] == self.aisle[None]).float()
        w = same * self.season[m][self.aisle][:, None] + 0.05 * torch.rand(self.items, self.items)
        w = (w + w.T) / 2
        d = w.sum(1).rsqrt()
        return d[:, None] * w * d[None]

    def batch(self, m, n):
        aisle = torch.multinomial(self.season[m], n, replacement=True)
        pick = torch.randint(self.items // 6, (n, self.size + 1)) * 6 + aisle[:, None]
        return pick[:, :-1], pick[:, -1]
