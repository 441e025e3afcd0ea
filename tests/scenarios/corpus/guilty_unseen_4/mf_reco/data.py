import torch


class Ratings:
    """Synthetic user x item ratings with a low-rank ground truth."""

    def __init__(self, users=400, items=250, rank=5, count=20000, seed=0):
        g = torch.Generator().manual_seed(seed)
        u = torch.randn(users, rank, generator=g)
        v = torch.randn(items, rank, generator=g)
        self.uid = torch.randint(0, users, (count,), generator=g)
        self.iid = torch.randint(0, items, (count,), generator=g)
        clean = (u[self.uid] * v[self.iid]).sum(-1) / rank ** 0.5
        self.score = clean + 0.1 * torch.randn(count, generator=g)
        self.users, self.items = users, items

    def batches(self, size, g):
        perm = torch.randperm(len(self.score), generator=g)
        for chunk in perm.split(size):
            yield self.uid[chunk], self.iid[chunk], self.score[chunk]
