import torch
from torch.utils.data import Dataset

SPECIES = ("humpback", "fin", "minke")


def call_contour(species, g, frames=24):
    t = torch.linspace(0, 1, frames)
    j = torch.rand(3, generator=g)
    if species == 0:
        return 10 + 5 * torch.sin(6.28 * (1.5 + j[0]) * t) + 2 * j[1]
    if species == 1:
        return 6 - 3 * t + 2 * j[0]
    return 14 + 3 * torch.sign(torch.sin(6.28 * (4 + j[0]) * t)) + j[1]


class Hydrophone(Dataset):
    """Spectrogram clips, made on request and remembered for the most recent ones only."""

    def __init__(self, n, bins=24, frames=24, seed=0, keep=64):
        self.n, self.bins, self.frames, self.seed, self.keep = n, bins, frames, seed, keep
        self.recent = {}

    def __len__(self):
        return self.n

    def _make(self, i):
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        species = i % len(SPECIES)
        f = call_contour(species, g, self.frames)
        rows = torch.arange(self.bins).float()[:, None]
        spec = torch.exp(-((rows - f) ** 2) / 2.0)
        return spec + 0.35 * torch.randn(self.bins, self.frames, generator=g), species

    def __getitem__(self, i):
        if i not in self.recent:
            if len(self.recent) >= self.keep:
                self.recent.pop(next(iter(self.recent)))
            self.recent[i] = self._make(i)
        return self.recent[i]
