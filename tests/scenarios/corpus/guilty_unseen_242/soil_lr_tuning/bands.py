import torch


class BandData:
    def __init__(self, parts):
        self.parts = parts

    def batch(self, part, n):
        x, y = self.parts[part]
        idx = torch.randint(0, len(x), (n,))
        return x[idx], y[idx]

    def full(self, part):
        return self.parts[part]


def make_bands(n, bands):
    x = torch.randn(n, bands)
    x = x + 0.5 * torch.roll(x, 1, dims=1)
    moisture = torch.tanh(x[:, 2] - x[:, 7]) + 0.3 * x[:, 10] + 0.05 * torch.randn(n)
    y = moisture[:, None]
    a = int(n * 0.6)
    b = int(n * 0.8)
    return BandData({
        "train": (x[:a], y[:a]),
        "valid": (x[a:b], y[a:b]),
        "test": (x[b:], y[b:]),
    })
