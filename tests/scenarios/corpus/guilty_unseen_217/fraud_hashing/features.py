import torch


class HashedTransactions:
    def __init__(self, n_bins, batch, fraud_rate):
        self.n_bins, self.batch, self.rate = n_bins, batch, fraud_rate
        self.signal = torch.randn(n_bins)

    def _one(self):
        idx = torch.randint(0, self.n_bins, (self.batch, 12))
        amount = torch.rand(self.batch, 12)
        x = torch.zeros(self.batch, self.n_bins).scatter_add_(1, idx, amount)
        s = x @ self.signal
        y = (s > torch.quantile(s, 1 - self.rate)).float()
        return x, y

    def batches(self, n):
        for _ in range(n):
            yield self._one()
