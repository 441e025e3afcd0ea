import torch

CENTERS = torch.randn(6, 20, generator=torch.Generator().manual_seed(0)) * 0.8


class Blobs:
    def __init__(self, n):
        self.y = torch.randint(0, 6, (n,))
        self.x = CENTERS[self.y] + torch.randn(n, 20)

    def __len__(self):
        return len(self.y)


def loader(ds, batch):
    for idx in torch.randperm(len(ds)).split(batch):
        yield idx, ds.x[idx], ds.y[idx]
