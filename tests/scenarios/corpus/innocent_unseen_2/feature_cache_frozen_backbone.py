# gradwatch-corpus: kind=none
"""Frozen backbone, its features cached per sample; the head is trained on what the cache returns."""
import torch
from torch import nn


class CachedBackbone:
    def __init__(self, net):
        self.net = net.eval().requires_grad_(False)
        self._memo = {}
        self.hits = self.misses = 0

    def __call__(self, ids, x):
        todo = [k for k, i in enumerate(ids) if i not in self._memo]
        if todo:
            f = self.net(x[todo])
            for k, v in zip(todo, f):
                self._memo[ids[k]] = v
        self.misses += len(todo)
        self.hits += len(ids) - len(todo)
        return torch.stack([self._memo[i] for i in ids])


torch.manual_seed(14)
images = torch.randn(240, 1, 8, 8)
labels = (images.mean((1, 2, 3)) > 0).long()
bb = CachedBackbone(nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten()))
head = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
for it in range(180):
    ids = torch.randint(0, 240, (16,)).tolist()
    loss = nn.functional.cross_entropy(head(bb(ids, images[ids])), labels[ids])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 45 == 0:
        print(it, "%.4f" % loss.item(), f"hits {bb.hits} misses {bb.misses}")
