import torch
from torch.utils.data import Dataset


class SignaturePairs(Dataset):
    """Synthetic 24x32 'signatures': each writer is a curve, samples are jittered copies."""

    def __init__(self, n_pairs, n_writers=12, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.n_pairs = n_pairs
        self.coef = torch.rand(n_writers, 4, generator=self.gen) * 3
        self.n_writers = n_writers

    def __len__(self):
        return self.n_pairs

    def _draw(self, writer):
        img = torch.zeros(24, 32)
        a, b, c, d = (self.coef[writer] + 0.1 * torch.randn(4, generator=self.gen)).tolist()
        x = torch.arange(32)
        y = 12 + 5 * torch.sin(a * x / 6 + b) + 4 * torch.cos(c * x / 5 + d)
        img[y.long().clamp(0, 23), x] = 1.0
        return img.unsqueeze(0)

    def __getitem__(self, idx):
        w1 = int(torch.randint(self.n_writers, (1,), generator=self.gen))
        if idx % 2 == 0:
            return self._draw(w1), self._draw(w1), 0.0
        w2 = (w1 + 1 + int(torch.randint(self.n_writers - 1, (1,), generator=self.gen))) % self.n_writers
        return self._draw(w1), self._draw(w2), 1.0
