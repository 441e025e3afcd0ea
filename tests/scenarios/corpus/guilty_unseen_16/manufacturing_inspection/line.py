"""Synthetic line camera: brushed metal with at most one defect per crop."""
import torch

DEFECTS = ("good", "scratch", "pit", "stain")


class LineCamera:
    def __init__(self, seed, size=24):
        self.gen = torch.Generator().manual_seed(seed)
        self.size = size
        ax = torch.arange(size).float()
        self.y, self.x = torch.meshgrid(ax, ax, indexing="ij")

    def _rand(self, lo, hi):
        return lo + (hi - lo) * torch.rand((), generator=self.gen)

    def _defect(self, kind):
        cy, cx = self._rand(6, self.size - 6), self._rand(6, self.size - 6)
        r2 = (self.y - cy) ** 2 + (self.x - cx) ** 2
        if kind == 1:
            slope = self._rand(-1, 1)
            return 0.9 * torch.exp(-((self.y - cy) - slope * (self.x - cx)) ** 2)
        if kind == 2:
            return -1.2 * torch.exp(-r2 / 3)
        if kind == 3:
            return -0.5 * torch.sigmoid(16 - r2 / 2)
        return torch.zeros_like(self.x)

    def crops(self, n):
        target = torch.randint(len(DEFECTS), (n,), generator=self.gen)
        brushed = 0.3 * torch.randn(n, 1, self.size, 1, generator=self.gen)
        grain = 0.25 * torch.randn(n, 1, self.size, self.size, generator=self.gen)
        marks = torch.stack([self._defect(int(k)) for k in target]).unsqueeze(1)
        return brushed + grain + marks, target
