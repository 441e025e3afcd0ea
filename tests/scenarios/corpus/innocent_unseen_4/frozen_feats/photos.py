import torch


class Photos:
    def __init__(self, n=900, side=32):
        self.n, self.side = n, side
        g = torch.Generator().manual_seed(60)
        self.kind = torch.randint(0, 4, (n,), generator=g)

    def load(self, i):
        g = torch.Generator().manual_seed(1000 + i)
        img = torch.rand(3, self.side, self.side, generator=g)
        k = int(self.kind[i])
        img[:, (k // 2) * 16:(k // 2) * 16 + 16, (k % 2) * 16:(k % 2) * 16 + 16] += 0.7
        return img
