# gradwatch-corpus: kind=graph-held
# notice: 40
# holder: backlog | miner.backlog | self.backlog
# first-bad: 48
"""Headlight glare detector; difficult frames go on a priority queue for the labelling team."""
import heapq
import itertools
from types import SimpleNamespace

import torch
from torch import nn

torch.manual_seed(2024)
cfg = SimpleNamespace(frames=320, difficult=0.9, channels=8, lr=3e-3)


class GlareNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, c, 3, stride=2), nn.ReLU(), nn.Conv2d(c, c, 3, stride=2), nn.ReLU())
        self.call = nn.Linear(c, 2)

    def forward(self, im):
        z = self.trunk(im).mean((2, 3))
        return z, self.call(z)


class Miner:
    """keeps difficult frames ordered by how badly they were handled"""

    def __init__(self, threshold):
        self.backlog = []
        self.threshold = threshold
        self._ticket = itertools.count()

    def consider(self, frame_id, per_image, features):
        worst, where = per_image.max(0)
        if worst.item() < self.threshold:
            return
        entry = (-worst.item(), next(self._ticket), {"frame": frame_id, "slot": int(where), "signature": features[where]})
        heapq.heappush(self.backlog, entry)  # <- culprit

    def top(self, n=3):
        return [(round(-s, 2), e["frame"], round(e["signature"].norm().item(), 2)) for s, _, e in heapq.nsmallest(n, self.backlog)]


def frames(n):
    for f in range(n):
        y = torch.randint(0, 2, (8,))
        im = torch.randn(8, 1, 16, 16) * 0.5
        im[y == 1, :, 4:9, 4:9] += 0.8
        if f % 7 == 5:
            y[0] = 1 - y[0]
        yield f, im, y


net = GlareNet(cfg.channels)
opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
miner = Miner(cfg.difficult)
for f, im, y in frames(cfg.frames):
    z, logit = net(im)
    each = nn.functional.cross_entropy(logit, y, reduction="none")
    miner.consider(f, each, z)
    opt.zero_grad()
    each.mean().backward()
    opt.step()
    if f % 80 == 79:
        print("frame", f + 1, "ce", round(each.mean().item(), 3), "queued", len(miner.backlog))
print(miner.top())
