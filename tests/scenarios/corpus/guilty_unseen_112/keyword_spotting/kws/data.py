import random

import numpy as np
import torch


class ClipSet:
    """Each word is a pair of formant tracks; clips are noisy renditions of it."""

    def __init__(self, n_clips, n_words, bank, rng, sr=8000, length=8192):
        t = np.arange(length) / sr
        self.bank = bank
        self.labels = rng.integers(0, n_words, size=n_clips)
        self.waves = np.empty((n_clips, length), dtype=np.float32)
        for i, w in enumerate(self.labels):
            f1 = 300 + 90 * w + rng.normal(0, 12)
            f2 = 1100 + 170 * ((w * 2) % n_words) + rng.normal(0, 25)
            sweep = 1 + 0.1 * np.sin(2 * np.pi * t * (1 + w % 3))
            tone = np.sin(2 * np.pi * f1 * t * sweep) + 0.6 * np.sin(2 * np.pi * f2 * t)
            self.waves[i] = tone + rng.normal(0, 0.5, size=length)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        shift = random.randint(-900, 900)
        gain = round(random.uniform(0.7, 1.3), 3)
        return self.bank(i, self.waves[i], shift, gain), int(self.labels[i])


def batches(ds, size):
    order = torch.randperm(len(ds)).tolist()
    for a in range(0, len(order) - size + 1, size):
        feats, ys = zip(*(ds[i] for i in order[a:a + size]))
        x = torch.from_numpy(np.stack(feats))
        x = (x - x.mean(dim=(1, 2), keepdim=True)) / (x.std(dim=(1, 2), keepdim=True) + 1e-4)
        yield x, torch.tensor(ys)
