import torch
from torch.utils.data import Dataset


class SpectraPairs(Dataset):
    def __init__(self, n, bins=30, families=6):
        grid = torch.arange(bins).float()
        peaks = bins * torch.rand(families, 3)
        fam = torch.randint(0, families, (n,))
        self.x = torch.exp(-(grid - peaks[fam][:, :, None]) ** 2 / 4).sum(1)

    def __len__(self):
        return len(self.x)

    def view(self, s):
        return torch.roll(s, int(torch.randint(-1, 2, ()))) * (0.7 + 0.6 * torch.rand(())) + 0.05 * torch.randn_like(s)

    def __getitem__(self, i):
        return self.view(self.x[i]), self.view(self.x[i])
