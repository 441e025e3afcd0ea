import torch
import torch.nn.functional as F


class NegativeQueue:
    """Ring of the latest keys."""

    def __init__(self, size, dim):
        self.rows = F.normalize(torch.randn(size, dim), dim=-1)
        self.at = 0

    def snapshot(self):
        return self.rows.clone()

    def push(self, keys):
        n = len(keys)
        where = (self.at + torch.arange(n)) % len(self.rows)
        self.rows[where] = keys
        self.at = (self.at + n) % len(self.rows)
