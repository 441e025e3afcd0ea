# gradwatch-corpus: kind=none
"""Defect classification; the worst batches of each epoch get a second pass with a larger margin."""
import heapq
import itertools

import torch
from torch import nn
import torch.nn.functional as F

KEEP = 12


class Worst:
    """Top-k of the epoch by loss. Entries carry what the review needs."""

    def __init__(self, k):
        self.k = k
        self._seq = itertools.count()
        self._heap = []

    def offer(self, loss, **entry):
        item = (loss.item(), next(self._seq), {"loss": loss, **entry})
        if len(self._heap) < self.k:
            heapq.heappush(self._heap, item)
        else:
            heapq.heapreplace(self._heap, max(item, self._heap[0]))

    def review(self):
        items, self._heap = self._heap, []
        for _, _, entry in sorted(items, reverse=True, key=lambda it: it[0]):
            yield entry


class DefectNet(nn.Module):
    def __init__(self, n_features, n_classes):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(n_features, 36), nn.LayerNorm(36), nn.ReLU(), nn.Linear(36, 16))
        self.weight = nn.Parameter(torch.randn(n_classes, 16))

    def forward(self, x):
        return 8.0 * F.normalize(self.features(x)) @ F.normalize(self.weight).t()


class Line:
    """Batches come from lots; some lots are dusty and hard."""

    def __init__(self, seed, n_features=18, n_classes=6):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(n_classes, n_features, generator=self.g)

    def epoch(self, n=44, size=20):
        for lot in range(n):
            noise = 0.6 + 1.8 * torch.rand(1, generator=self.g).item() ** 3
            y = torch.randint(0, len(self.proto), (size,), generator=self.g)
            yield lot, self.proto[y] + noise * torch.randn(size, self.proto.size(1), generator=self.g), y


def margin_loss(logits, y, margin):
    return F.cross_entropy(logits - margin * F.one_hot(y, logits.size(1)), y)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(25)
    line = Line(seed=26)
    net = DefectNet(18, 6)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    worst = Worst(KEEP)

    def update(x, y, margin):
        logits = net(x)
        loss = margin_loss(logits, y, margin)
        opt.zero_grad()
        loss.backward()
        opt.step()
        return logits, loss

    for epoch in range(10):
        for lot, x, y in line.epoch():
            logits, loss = update(x, y, margin=0.5)
            worst.offer(loss, lot=lot, x=x, y=y, logits=logits)
        gain, lots = 0.0, []
        for entry in worst.review():
            miss = entry["logits"].argmax(1) != entry["y"]
            _, again = update(entry["x"], entry["y"], margin=1.0 if miss.any() else 0.5)
            gain += (entry["loss"] - again).item()
            lots.append(entry["lot"])
        if epoch % 2 == 0:
            print(f"epoch {epoch}: review of {len(lots)} lots, first {lots[:4]}, change {gain / len(lots):+.3f}")


if __name__ == "__main__":
    main()
