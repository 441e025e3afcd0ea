import torch


class Rallies:
    """Short rallies while the players warm up, longer ones later."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def one(self, frames):
        p = torch.randn(2, generator=self.g)
        v = 0.3 * torch.randn(2, generator=self.g)
        truth = []
        for t in range(frames):
            v = 0.93 * v + torch.tensor([0.0, -0.02])
            if t % 9 == 8:
                v = -v + 0.1 * torch.randn(2, generator=self.g)
            p = p + v
            truth.append(p)
        truth = torch.stack(truth)
        return truth + 0.15 * torch.randn(truth.shape, generator=self.g), truth

    def stream(self, n):
        for r in range(n):
            yield self.one(8 if r < 6 else 24)
