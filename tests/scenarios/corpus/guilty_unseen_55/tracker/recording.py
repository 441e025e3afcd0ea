import torch


class Recording:
    def __init__(self, dim, channels, length):
        mix = torch.randn(dim, channels)
        x, ys = torch.zeros(dim), []
        for _ in range(length):
            x = 0.92 * x + 0.3 * torch.randn(dim)
            ys.append(x @ mix + 0.4 * torch.randn(channels))
        self.ys = torch.stack(ys)

    def windows(self, size):
        for i in range(0, len(self.ys), size):
            yield self.ys[i : i + size]
