# gradwatch-corpus: kind=none
# about: memory climbs some 40 MB during the first 150 iterations (volumes made on demand, LRU cache) and stops; history of floats
"""Segmentation of synthetic volumes. A volume is made the first time it is asked for and kept, the patches come from an LRU cache."""
import functools
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler

torch.manual_seed(44)


@functools.lru_cache(maxsize=150)
def volume(case):
    g = torch.Generator().manual_seed(1000 + case)
    z, y, x = torch.meshgrid(*[torch.linspace(-1, 1, 44)] * 3, indexing="ij")
    c = torch.rand(3, generator=g) - .5
    r = .25 + .35 * torch.rand((), generator=g)
    mask = ((x - c[0]) ** 2 + (y - c[1]) ** 2 + (z - c[2]) ** 2) < r ** 2
    return (mask * .9 + .45 * torch.randn(mask.shape, generator=g)), mask


class Patches(Dataset):
    def __init__(self, cases, size=20):
        self.cases, self.size, self.means = cases, size, {}

    def __len__(self):
        return self.cases * 4

    def __getitem__(self, i):
        case, s = i // 4, self.size
        img, mask = volume(case)
        if case not in self.means:
            self.means[case] = (img.mean().item(), img.std().item())
        mu, sd = self.means[case]
        a, b, c = torch.randint(44 - s, (3,)).tolist()
        cut = slice(a, a + s), slice(b, b + s), slice(c, c + s)
        return ((img[cut] - mu) / sd)[None], mask[cut].float()[None]


def soft_dice(p, t):
    inter = (p * t).sum((1, 2, 3, 4))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3, 4)) + t.sum((1, 2, 3, 4)) + 1)).mean()


net = nn.Sequential(nn.Conv3d(1, 6, 3, padding=1), nn.GroupNorm(2, 6), nn.ReLU(),
                    nn.Conv3d(6, 6, 3, padding=2, dilation=2), nn.ReLU(), nn.Conv3d(6, 1, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
data = Patches(110)
loader = DataLoader(data, batch_size=2, sampler=RandomSampler(data, replacement=True, num_samples=840))
history = {"dice": [], "bce": []}
for n, (img, mask) in enumerate(loader):
    logit = net(img)
    bce, dice = F.binary_cross_entropy_with_logits(logit, mask), soft_dice(logit.sigmoid(), mask)
    opt.zero_grad()
    (bce + dice).backward()
    opt.step()
    history["bce"].append(bce.item())
    history["dice"].append(dice.item())
    if n % 60 == 59:
        info = volume.cache_info()
        print(f"{n + 1} bce {math.fsum(history['bce'][-60:]) / 60:.3f} dice {math.fsum(history['dice'][-60:]) / 60:.3f} volumes in memory {info.currsize}")
