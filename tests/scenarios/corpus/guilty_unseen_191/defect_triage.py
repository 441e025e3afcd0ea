# gradwatch-corpus: kind=graph-held
# holder: self._entries | cache._entries
# first-bad: 1
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


def nbytes(t):
    return t.element_size() * t.nelement()


class ByteBudgetCache:
    """LRU keyed by sample id, evicting once the stored tensors exceed the budget."""

    def __init__(self, budget):
        self.budget = budget
        self.used = 0
        self._entries = OrderedDict()

    def put(self, key, value):
        old = self._entries.pop(key, None)
        if old is not None:
            self.used -= nbytes(old)
        self._entries[key] = value  # <- culprit
        self.used += nbytes(value)
        while self.used > self.budget:
            _, evicted = self._entries.popitem(last=False)
            self.used -= nbytes(evicted)

    def hardest(self, k):
        ranked = sorted(self._entries.items(), key=lambda kv: float(kv[1]), reverse=True)
        return [key for key, _ in ranked[:k]]

    def __len__(self):
        return len(self._entries)


class Inspector(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.conv(x).mean(dim=(2, 3)))


def wafer_images(ids, classes):
    label = ids % classes
    gen = torch.Generator().manual_seed(int(ids[0]))
    x = 0.4 * torch.randn(len(ids), 1, 16, 16, generator=gen)
    for i, c in enumerate(label.tolist()):
        x[i, 0, 2 * c:2 * c + 3] += 1.0
    return x, label


def main():
    torch.manual_seed(5)
    model = Inspector()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    cache = ByteBudgetCache(budget=256 * 1024)
    lot = 0
    for step in range(500):
        ids = torch.arange(lot, lot + 16)
        lot += 16
        x, label = wafer_images(ids, 4)
        per_sample = F.cross_entropy(model(x), label, reduction="none")
        loss = per_sample.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        worst = int(per_sample.argmax())
        cache.put(int(ids[worst]), per_sample[worst])  # <- culprit
        if step % 100 == 99:
            print(step + 1, f"{loss.item():.4f}", "review:", cache.hardest(3),
                  f"{cache.used} bytes in {len(cache)} entries")


if __name__ == "__main__":
    main()
