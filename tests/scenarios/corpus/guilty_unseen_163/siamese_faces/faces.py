import torch


class FakeFaces:
    def __init__(self, n_ids=3000, dim=48):
        self.proto = torch.randn(n_ids, dim)
        self.n_ids = n_ids

    def view(self, ids):
        return self.proto[ids] + 0.3 * torch.randn(len(ids), self.proto.size(1))

    def batches(self, n, size):
        for _ in range(n):
            yield torch.randint(0, self.n_ids, (size,))
