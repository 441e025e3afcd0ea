from collections import namedtuple

import torch

Batch = namedtuple("Batch", "user support_i support_y query_i query_y")


class NewUsers:
    def __init__(self, n_items, dim):
        self.item = torch.randn(n_items, dim) / dim ** 0.5
        self.centres = torch.randn(5, dim)
        self.next_id = 0

    def arrivals(self, n, support, query):
        taste = self.centres[torch.randint(0, 5, (n,))] + 0.3 * torch.randn(n, self.item.size(1))
        idx = torch.stack([torch.randperm(len(self.item))[: support + query] for _ in range(n)])
        y = torch.einsum("nd,nkd->nk", taste, self.item[idx]) + 0.1 * torch.randn(idx.shape)
        ids = list(range(self.next_id, self.next_id + n))
        self.next_id += n
        return Batch(ids, idx[:, :support], y[:, :support], idx[:, support:], y[:, support:])
