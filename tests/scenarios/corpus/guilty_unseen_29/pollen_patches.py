# gradwatch-corpus: kind=memory-climb
# holder: self._cache | crops._cache
# first-bad: 1
"""Pollen counting on microscope slides; the expensive crops are memoised."""
import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Crop:
    slide: int
    x: float
    y: float
    angle: float


class SlideStore:
    def __init__(self, count, side, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.slides = 0.1 * torch.randn(count, 1, side, side, generator=g)
        self.grains = torch.randint(0, 40, (count,), generator=g)
        for s, k in zip(self.slides, self.grains.tolist()):
            for _ in range(k):
                cx, cy = torch.randint(2, side - 2, (2,), generator=g).tolist()
                s[0, cx - 1:cx + 2, cy - 1:cy + 2] += 1.0

    def __len__(self):
        return len(self.slides)


class CropServer:
    """Rotated sub-images; resampling is slow, so every crop is kept."""

    def __init__(self, store, size):
        self.store, self.size = store, size
        self._cache = {}

    def _resample(self, crop):
        a = torch.tensor(crop.angle)
        theta = 0.5 * torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
        theta = torch.cat([theta, torch.tensor([[crop.x], [crop.y]])], 1)
        grid = F.affine_grid(theta[None], (1, 1, self.size, self.size), align_corners=False)
        return F.grid_sample(self.store.slides[crop.slide][None], grid, align_corners=False)[0]

    def get(self, crop):
        if crop not in self._cache:
            self._cache[crop] = self._resample(crop)  # <- culprit
        return self._cache[crop]


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 4, 5, stride=3)
        self.c2 = nn.Conv2d(4, 8, 3, stride=2)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return F.softplus(self.fc(x.mean((2, 3)))).squeeze(1)


def draw(rng, n_slides):
    return Crop(rng.randrange(n_slides), rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.uniform(0, 6.28))


def main():
    rng = random.Random(2)
    torch.manual_seed(2)
    store = SlideStore(count=12, side=128)
    crops = CropServer(store, size=96)
    model = Counter()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(200):
        batch = [draw(rng, len(store)) for _ in range(24)]
        x = torch.stack([crops.get(c) for c in batch])
        y = store.grains[[c.slide for c in batch]].float() / 10
        loss = F.smooth_l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print("it", it, "loss", round(loss.item(), 4))


if __name__ == "__main__":
    main()
