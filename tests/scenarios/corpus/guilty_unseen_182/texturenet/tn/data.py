import torch
from torch.utils.data import Dataset


class TextureSet(Dataset):
    """Gratings of four orientations with random phase and noise."""

    def __init__(self, n, size, seed):
        g = torch.Generator().manual_seed(seed)
        ax = torch.arange(size).float()
        yy, xx = torch.meshgrid(ax, ax, indexing="ij")
        self.y = torch.randint(0, 4, (n,), generator=g)
        ang = self.y.float() * torch.pi / 4
        ph = torch.rand(n, generator=g) * 6.28
        arg = torch.cos(ang)[:, None, None] * xx + torch.sin(ang)[:, None, None] * yy
        img = torch.sin(arg + ph[:, None, None])
        self.x = (img + 0.5 * torch.randn(img.shape, generator=g)).unsqueeze(1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]
