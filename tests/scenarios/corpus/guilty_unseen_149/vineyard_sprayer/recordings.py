import torch


class Passes:
    """Eight passes along the rows, recorded side by side."""

    def __init__(self, seconds, rows=8):
        self.seconds, self.rows = seconds, rows
        self.mix = torch.randn(2, 3) * 0.3

    def first(self):
        return torch.zeros(self.rows, 3)

    def __iter__(self):
        true = self.first()
        gust = torch.zeros(self.rows, 2)
        for _ in range(self.seconds):
            gust = 0.8 * gust + 0.3 * torch.randn(self.rows, 2)
            true = 0.7 * true + torch.tanh(gust @ self.mix)
            yield gust, true + 0.02 * torch.randn_like(true)
