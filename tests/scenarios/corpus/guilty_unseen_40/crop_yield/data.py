import torch
from torch.utils.data import DataLoader, Dataset


class Fields(Dataset):
    def __init__(self, n, weeks, seed):
        g = torch.Generator().manual_seed(seed)
        self.season = torch.randn(n, 6, weeks, generator=g).cumsum(-1) / 4
        self.tonnes = 4 + self.season[:, 2].mean(-1) - 0.5 * self.season[:, 4, -5:].mean(-1)

    def __len__(self):
        return len(self.tonnes)

    def __getitem__(self, i):
        return self.season[i], self.tonnes[i]


def field_loader(n=480, weeks=20, seed=0):
    return DataLoader(Fields(n, weeks, seed), batch_size=16, shuffle=True)
