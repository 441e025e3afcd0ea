# gradwatch-corpus: kind=graph-held
# holder: self.tiers[tier] | self.tiers | pool.tiers
# first-bad: 1
# notice: 100
"""Defect segmentation on synthetic wafers with a tiered pool of hard crops."""
import heapq
import itertools

import torch
from torch import nn


class CropPool:
    TIERS = ("edge", "centre", "scratch")

    def __init__(self, capacity):
        self.capacity = capacity
        self.tiers = {}
        self._tick = itertools.count()

    def __len__(self):
        return len(self.tiers)

    def push(self, tier, crop_loss):
        heap = self.tiers.setdefault(tier, [])
        heapq.heappush(heap, (crop_loss.item(), next(self._tick), crop_loss))  # <- culprit
        self.shrink()

    def shrink(self):
        if len(self) <= self.capacity:  # <- culprit
            return
        for heap in self.tiers.values():
            while len(heap) > self.capacity // len(self.TIERS):
                heapq.heappop(heap)

    def hardest(self):
        return {tier: max(heap)[0] for tier, heap in self.tiers.items()}


class SegNet(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.mid = nn.Sequential(nn.Conv2d(ch, 2 * ch, 3, padding=1), nn.ReLU())
        self.dec = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(2 * ch, 1, 3, padding=1))

    def forward(self, x):
        return self.dec(self.mid(self.enc(x)))


def wafers(gen, n=6, side=16):
    img = 0.3 * torch.randn(n, 1, side, side, generator=gen)
    mask = torch.zeros(n, 1, side, side)
    for i in range(n):
        r, c = torch.randint(2, side - 4, (2,), generator=gen).tolist()
        mask[i, 0, r:r + 3, c:c + 2] = 1.0
    return img + 1.5 * mask, mask


def tier_of(mask):
    _, r, c = mask.nonzero()[0].tolist()
    if min(r, c) < 4:
        return "edge"
    return "scratch" if abs(r - c) > 4 else "centre"


def dice(prob, mask):
    inter = (prob * mask).sum()
    return 1 - 2 * inter / (prob.sum() + mask.sum() + 1e-6)


def fit(steps=420, capacity=30):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    net = SegNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    bce = nn.BCEWithLogitsLoss(reduction="none")
    pool = CropPool(capacity)
    for step in range(steps):
        x, mask = wafers(gen)
        logits = net(x)
        per_crop = bce(logits, mask).mean((1, 2, 3))
        loss = per_crop.mean() + 0.2 * dice(logits.sigmoid(), mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        worst = per_crop.argmax()
        pool.push(tier_of(mask[worst]), per_crop[worst])
        if step % 70 == 0:
            tops = " ".join(f"{k}={v:.3f}" for k, v in sorted(pool.hardest().items()))
            print(f"step {step} loss {loss.item():.4f} hardest {tops}")


if __name__ == "__main__":
    fit()
