import torch


class ReturnSimulator:
    """GARCH-like squared returns."""

    def __init__(self, lags, batch=48, seed=6):
        self.lags, self.batch = lags, batch
        self.gen = torch.Generator().manual_seed(seed)

    def windows(self, n):
        for _ in range(n):
            var = torch.ones(self.batch)
            series = []
            for _ in range(self.lags + 1):
                r = var.sqrt() * torch.randn(self.batch, generator=self.gen)
                series.append(r)
                var = 0.1 + 0.15 * r ** 2 + 0.75 * var
            path = torch.stack(series, 1)
            yield path[:, :-1], path[:, -1].square()
