import torch


class ParityLike:
    def __init__(self, dim, seed):
        self.dim = dim
        self.gen = torch.Generator().manual_seed(seed)

    def stream(self, count, size=16):
        for _ in range(count):
            x = torch.randn(size, self.dim, generator=self.gen)
            yield x, (x[:, 0] * x[:, 1] > 0).long()
