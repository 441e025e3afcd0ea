import torch
from torch.utils.data import Dataset


class StripesDataset(Dataset):
    """Noisy pictures with a road (1) and a lane marking (2) on background (0)."""

    def __init__(self, n, size=20, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.images = torch.randn(n, 1, size, size, generator=g) * 0.3
        self.masks = torch.zeros(n, size, size, dtype=torch.long)
        left = torch.randint(2, size - 10, (n,), generator=g)
        for i, l in enumerate(left.tolist()):
            self.masks[i, :, l:l + 8] = 1
            self.masks[i, ::2, l + 4] = 2
        self.images += self.masks.unsqueeze(1).float()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        return self.images[idx], self.masks[idx]
