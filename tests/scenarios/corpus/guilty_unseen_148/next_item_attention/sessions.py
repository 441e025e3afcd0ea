import torch


class SessionSampler:
    """Long sessions first, then sessions of every length, padded on the left with 0."""

    def __init__(self, n_items, max_len, full_batches):
        self.n_items, self.max_len = n_items, max_len
        self.full_batches, self.served = full_batches, 0

    def batch(self, n):
        start = torch.randint(0, self.n_items, (n, 1))
        stride = torch.randint(1, 4, (n, 1))
        seq = (start + stride * torch.arange(self.max_len + 1)) % self.n_items + 1
        seq, nxt = seq[:, :-1].clone(), seq[:, -1]
        if self.served >= self.full_batches:
            for row, length in zip(seq, torch.randint(3, self.max_len, (n,)).tolist()):
                row[: self.max_len - length] = 0
        self.served += 1
        return seq, nxt
