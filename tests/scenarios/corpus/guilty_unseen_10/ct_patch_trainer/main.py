# gradwatch-corpus: kind=memory-climb
# holder: self._store | cache._store | self.cache._store | loader.cache._store | self._store[key]
# first-bad: 1
"""Lesion segmentation on CT slices, patch-wise, with a two-level U-Net.
The dice on the held-out volume is printed now and then."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
import torch.nn.functional as F
from torch import nn

from pipeline import PatchLoader, VolumeBank


class SmallUNet(nn.Module):
    def __init__(self, w=6):
        super().__init__()
        self.down1 = nn.Conv2d(2, w, 3, stride=2, padding=1)
        self.down2 = nn.Conv2d(w, 2 * w, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(2 * w, 2 * w, 3, padding=1)
        self.up = nn.Conv2d(3 * w, w, 3, padding=1)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = F.relu(self.down1(x))
        b = F.relu(self.mid(F.relu(self.down2(a))))
        u = F.interpolate(b, scale_factor=2)
        y = self.out(F.relu(self.up(torch.cat([u, a], dim=1))))
        return F.interpolate(y, scale_factor=2, mode="bilinear", align_corners=False)


def soft_dice(logits, target):
    p = torch.sigmoid(logits)
    inter = (p * target).sum((1, 2, 3))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def dice_score(model, batch):
    images, labels = batch
    hard = (model(images) > 0).float()
    return (2 * (hard * labels).sum() / (hard.sum() + labels.sum() + 1e-6)).item()


def main(steps=240, batch_size=8):
    torch.manual_seed(80)
    loader = PatchLoader(VolumeBank(), batch_size)
    held_out = next(iter(PatchLoader(VolumeBank(n=1, seed=90), 16, seed=91)))
    model = SmallUNet()
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for step, (images, labels) in zip(range(steps), loader):
        logits = model(images)
        loss = soft_dice(logits, labels) + F.binary_cross_entropy_with_logits(logits, labels)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 60 == 59:
            hit = loader.cache.hits / (loader.cache.hits + loader.cache.misses)
            print(f"{step + 1}: loss {loss.item():.3f}  dice {dice_score(model, held_out):.3f}  cache hits {hit:.1%}")


if __name__ == "__main__":
    main()
