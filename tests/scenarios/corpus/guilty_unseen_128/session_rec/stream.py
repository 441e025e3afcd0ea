import itertools

import torch


def sessions(n_batches, batch=10, length=6):
    serial = itertools.count()
    for _ in range(n_batches):
        ids = [f"s{next(serial):07d}" for _ in range(batch)]
        start = torch.randint(0, 50, (batch, 1))
        walk = (start + torch.arange(length + 1) * torch.randint(1, 3, (batch, 1))) % 50
        yield ids, walk[:, :-1], walk[:, -1]
