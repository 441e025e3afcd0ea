import torch


class Tape:
    def __init__(self, n_assets, n_days, n_signals=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.signals = torch.randn(n_days, n_assets, n_signals, generator=g)
        w = torch.randn(n_signals, generator=g)
        vol = 0.01 * torch.exp(0.3 * torch.randn(n_days, 1, generator=g).cumsum(0) * 0.1)
        self.returns = vol * (0.2 * self.signals @ w + torch.randn(n_days, n_assets, generator=g))

    def __len__(self):
        return len(self.returns)

    def __iter__(self):
        yield from zip(self.signals, self.returns)
