# gradwatch-corpus: kind=none
"""Multi-scale saliency: keep the pyramids of the last few batches next to a long log of plain numbers."""
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)
torch.set_num_threads(1)


class Pyramid(nn.Module):
    def __init__(self, c=6, levels=3):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(c, c, 3, stride=2, padding=1) for _ in range(levels - 1))
        self.heads = nn.ModuleList(nn.Conv2d(c, 1, 1) for _ in range(levels))

    def forward(self, x):
        z = F.relu(self.stem(x))
        maps = [self.heads[0](z)]
        for block, head in zip(self.blocks, self.heads[1:]):
            z = F.relu(block(z))
            maps.append(head(z))
        return maps


def blobs(n=8, size=16):
    g = torch.arange(size).float()
    cx, cy = torch.randint(3, size - 3, (2, n, 1, 1)).float()
    mask = ((g.view(1, 1, -1) - cx) ** 2 + (g.view(1, -1, 1) - cy) ** 2 < 9).float()
    return (mask + 0.4 * torch.randn(n, size, size)).unsqueeze(1), mask.unsqueeze(1)


def agreement(pyramids):
    """how alike are the mean activations of each level over the kept batches"""
    per_level = list(zip(*[[m.mean() for m in p] for p in pyramids]))
    return [torch.stack(level).std(unbiased=False).item() for level in per_level]


net = Pyramid()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
last_pyramids = deque([], 4)
last_losses = deque([], 4)
log, confusion = [], []

for it in range(320):
    x, mask = blobs()
    maps = net(x)
    losses = []
    for m in maps:
        target = F.adaptive_max_pool2d(mask, m.shape[-2:])
        losses.append(F.binary_cross_entropy_with_logits(m, target))
    total = sum(w * l for w, l in zip((1.0, 0.5, 0.25), losses))

    opt.zero_grad()
    total.backward()
    opt.step()

    last_pyramids.append(maps)
    last_losses.append(losses)
    log.append([l.item() for l in losses])
    with torch.no_grad():
        confusion.append(((maps[0] > 0) == (mask > 0)).float().mean())

    if (it + 1) % 80 == 0:
        spread = agreement(last_pyramids)
        recent = [sum(l[k].item() for l in last_losses) / len(last_losses) for k in range(3)]
        print(it + 1, np.round(recent, 4), "spread", np.round(spread, 4), "acc", round(torch.stack(confusion[-80:]).mean().item(), 3))

print("first/last row", log[0], log[-1], len(log))
