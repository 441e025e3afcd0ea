import torch
from torch.utils.data import Dataset


class TwoViews(Dataset):
    """Two random crops of a noisy wave, as 1-d 'images'."""

    def __init__(self, n, length=96, crop=64):
        g = torch.Generator().manual_seed(3)
        self.crop = crop
        self.labels = torch.randint(0, 4, (n,), generator=g)
        t = torch.linspace(0, 1, length)
        f = 2.0 + 3.0 * self.labels[:, None].float()
        shift = torch.rand(n, 1, generator=g) * 6.28
        self.signals = torch.sin(6.28 * f * t + shift) + 0.2 * torch.randn(n, length, generator=g)

    def __len__(self):
        return len(self.labels)

    def view(self, s):
        i = torch.randint(0, len(s) - self.crop, (1,)).item()
        return s[i:i + self.crop] * (0.8 + 0.4 * torch.rand(1)) + 0.1 * torch.randn(self.crop)

    def __getitem__(self, i):
        s = self.signals[i]
        return self.view(s), self.view(s)
