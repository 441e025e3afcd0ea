import random

import torch
from torch.utils.data import Dataset


class BirdCalls(Dataset):
    """Synthetic clips. Spectrograms are expensive, so they are cached."""

    N_FFT, HOP, LENGTH = 190, 84, 10800

    def __init__(self, n_species, per_species, augment):
        g = torch.Generator().manual_seed(0)
        self.labels = [s for s in range(n_species) for _ in range(per_species)]
        self.pitch = [0.05 + 0.04 * s + 0.005 * torch.randn(1, generator=g).item() for s in self.labels]
        self.augment = augment
        self.window = torch.hann_window(self.N_FFT)
        self._cache = {}

    def __len__(self):
        return len(self.labels)

    def _clip(self, i, shift):
        t = torch.arange(self.LENGTH) + shift
        chirp = torch.sin(6.2832 * self.pitch[i] * t * (1 + 1e-5 * t))
        return chirp * (torch.sin(t / 700.0) > 0)

    def _spectrogram(self, i, shift):
        key = (i, shift)
        if key not in self._cache:
            spec = torch.stft(self._clip(i, shift), self.N_FFT, self.HOP, window=self.window, return_complex=True)
            self._cache[key] = torch.log1p(spec.abs()).unsqueeze(0)  # <- culprit
        return self._cache[key]

    def __getitem__(self, i):
        shift = random.randint(0, 4000) if self.augment else 0
        return self._spectrogram(i, shift), self.labels[i]
