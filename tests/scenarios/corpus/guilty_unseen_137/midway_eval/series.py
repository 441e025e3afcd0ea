import torch


class Prices:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.arange(n)
        self.y = 0.5 * torch.sin(t / 4.0) + 0.3 * torch.randn(n, generator=g).cumsum(0) / 10
        self.cut = int(n * 0.8)

    def windows(self, n, lag=10, part="train"):
        lo, hi = (0, self.cut) if part == "train" else (self.cut, len(self.y))
        s = torch.randint(lo, hi - lag - 1, (n,))
        idx = s.unsqueeze(1) + torch.arange(lag + 1)
        w = self.y[idx]
        return w[:, :-1], w[:, -1]
