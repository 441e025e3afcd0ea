# gradwatch-corpus: kind=memory-climb
# first-bad: 1
# holder: self.cache | ds.cache | dataset.cache | self._cache | dataset._cache | loader.dataset._cache
"""Dataset which caches what it decodes; the key contains the random augmentation, so nothing is ever hit."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class CachedCrops(Dataset):
    def __init__(self, n, size=48, crop=40):
        self.n, self.size, self.crop = n, size, crop
        self._cache = {}

    def __len__(self):
        return self.n

    def _decode(self, i):
        g = torch.Generator().manual_seed(i % 16)
        return torch.rand(3, self.size, self.size, generator=g)

    def __getitem__(self, i):
        dx, dy = random.randint(0, 7), random.randint(0, 7)
        key = (i, dx, dy, random.random() > 0.5)
        if key not in self._cache:
            img = self._decode(i)[:, dx:dx + self.crop, dy:dy + self.crop]
            self._cache[key] = (img.flip(-1) if key[3] else img.clone()).contiguous()  # <- culprit
        return self._cache[key], i % 16


def main():
    random.seed(0)
    torch.manual_seed(0)
    dataset = CachedCrops(100_000)
    loader = DataLoader(dataset, batch_size=32, shuffle=True)
    net = nn.Sequential(nn.Conv2d(3, 8, 5, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 16))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for it, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 40 == 0:
            print(it, loss.item())
        if it == 200:
            break


main()
