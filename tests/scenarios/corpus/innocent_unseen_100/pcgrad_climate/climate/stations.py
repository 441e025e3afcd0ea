import torch


class StationFeed:
    def __init__(self, n_in, tasks):
        self.maps = {t: torch.randn(n_in) / n_in ** 0.5 for t in tasks}
        self.n_in = n_in

    def take(self, n, size):
        for _ in range(n):
            x = torch.randn(size, self.n_in)
            yield x, {t: torch.sin(2 * x @ w) + 0.1 * torch.randn(size) for t, w in self.maps.items()}
