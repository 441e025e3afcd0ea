import torch


class Market:
    """Freight quotes: acceptance falls with the margin asked, at another rate a lane."""

    def __init__(self, lanes, signals, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.signals = signals
        self.lanes = lanes
        self.slope = torch.rand(lanes, generator=self.gen) * 3 + 1
        self.value = torch.randn(signals, generator=self.gen) * 0.2

    def quote_requests(self, n):
        lane = torch.randint(0, self.lanes, (n,), generator=self.gen)
        x = torch.randn(n, self.signals, generator=self.gen)
        onehot = torch.nn.functional.one_hot(lane, self.lanes).float()
        return lane, torch.cat([x, onehot], dim=1)

    def settle(self, lane, obs, margin):
        base = obs[:, : self.signals] @ self.value
        accept = torch.sigmoid(2.0 + base - self.slope[lane] * margin)
        won = torch.bernoulli(accept, generator=self.gen)
        return won * margin
