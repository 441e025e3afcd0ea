import math
import torch
from torch.utils.data import Dataset


class Spirals(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        c, r = i % 3, torch.rand((), generator=g)
        a = 4 * r + c * math.tau / 3 + 0.1 * torch.randn((), generator=g)
        return r * a.cos(), r * a.sin(), c


def collate(rows):
    a, b, c = zip(*rows)
    return torch.stack([torch.stack(a), torch.stack(b)], 1), torch.tensor(c)
