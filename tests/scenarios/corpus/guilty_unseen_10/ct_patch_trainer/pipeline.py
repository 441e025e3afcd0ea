"""Patch pipeline: volumes -> windowed, flipped crops -> batches."""
import random

import torch
import torch.nn.functional as F

PATCH = 64


class VolumeBank:
    """Synthetic CT volumes in Hounsfield units (int16), with a bright ellipsoid as the lesion."""

    def __init__(self, n=4, depth=12, size=144, seed=81):
        g = torch.Generator().manual_seed(seed)
        self.volumes, self.masks = [], []
        zz, yy, xx = torch.meshgrid(torch.arange(depth), torch.arange(size), torch.arange(size), indexing="ij")
        for _ in range(n):
            c = torch.rand(3, generator=g)
            r = ((zz / depth - c[0]) / 0.5) ** 2 + ((yy / size - c[1]) / 0.3) ** 2 + ((xx / size - c[2]) / 0.2) ** 2
            mask = r < 1
            hu = 40 * torch.randn(depth, size, size, generator=g) + 90 * mask
            self.volumes.append(hu.to(torch.int16))
            self.masks.append(mask)

    def __len__(self):
        return len(self.volumes)


class PatchCache:
    """Preparing a patch takes longer than a training step on the big volumes, so prepared ones are kept."""

    def __init__(self):
        self._store = {}
        self.hits = self.misses = 0

    def get(self, key, make):
        patch = self._store.get(key)
        if patch is not None:
            self.hits += 1
            return patch
        self.misses += 1
        patch = make()
        self._store[key] = patch  # <- culprit
        return patch


class PatchLoader:
    def __init__(self, bank, batch_size, window=(-160, 240), seed=82):
        self.bank = bank
        self.batch_size = batch_size
        self.low, self.high = window
        self.rng = random.Random(seed)
        self.cache = PatchCache()

    def _prepare(self, v, z, y, x, flip):
        sl = (z, slice(y, y + PATCH), slice(x, x + PATCH))
        img = self.bank.volumes[v][sl].float()
        img = (img.clamp(self.low, self.high) - self.low) / (self.high - self.low)
        lab = self.bank.masks[v][sl].float()
        if flip:
            img, lab = img.flip(-1), lab.flip(-1)
        smooth = F.avg_pool2d(img[None, None], 3, stride=1, padding=1)[0, 0]
        return torch.stack([img, smooth]), lab

    def _draw(self):
        v = self.rng.randrange(len(self.bank))
        depth, h, w = self.bank.volumes[v].shape
        key = (v, self.rng.randrange(depth), self.rng.randrange(h - PATCH), self.rng.randrange(w - PATCH), self.rng.random() < 0.5)
        return self.cache.get(key, lambda: self._prepare(*key))  # <- culprit

    def __iter__(self):
        while True:
            imgs, labs = zip(*(self._draw() for _ in range(self.batch_size)))
            yield torch.stack(imgs), torch.stack(labs).unsqueeze(1)
