import torch


class Source:
    """One difficulty level: noisier labels at higher levels."""

    def __init__(self, w, noise):
        self.w, self.noise = w, noise

    def draw(self, n):
        x = torch.randn(n, self.w.numel())
        y = torch.tanh(x @ self.w) + self.noise * torch.randn(n)
        return x, y


def levels(dim=12):
    w = torch.randn(dim) / dim ** 0.5
    return [Source(w, s) for s in (0.05, 0.2, 0.6)], w
