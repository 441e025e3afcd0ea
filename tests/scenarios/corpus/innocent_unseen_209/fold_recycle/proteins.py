import torch


def batch(step: int, n: int, length: int):
    g = torch.Generator().manual_seed(step)
    seq = torch.randint(20, (n, length), generator=g)
    walk = torch.randn(n, length, 3, generator=g).cumsum(1)
    charge = (seq % 2).float() * 2 - 1
    near = torch.cdist(walk, walk) < 3.0
    attract = (charge[:, :, None] * charge[:, None]) < 0
    return seq, (near & attract).float()
