# gradwatch-corpus: kind=graph-held
# notice: 25
# holder: self.recent[i] | self.recent | table.recent
# first-bad: 1
"""Cell-image classifier where the sampler prefers examples that were hard last time they were seen."""
import random

import torch
from torch import nn


class HardnessTable:
    """index -> most recent loss; unseen examples count as hardest."""

    def __init__(self, size, floor=0.2, rng=None):
        self.size, self.floor = size, floor
        self.recent = {}
        self.rng = rng or random.Random(0)

    def draw(self, k):
        pool = self.rng.sample(range(self.size), 3 * k)
        pool.sort(key=lambda i: float(self.recent.get(i, 1e9)), reverse=True)
        return pool[:k]

    def record(self, indices, losses):
        for i, l in zip(indices, losses):
            self.recent[i] = l  # <- culprit


class Cells:
    def __init__(self, n=6000, seed=9):
        self.g = torch.Generator().manual_seed(seed)
        self.lab = torch.randint(0, 3, (n,), generator=self.g)
        self.centre = torch.rand(n, 2, generator=self.g) * 8 + 6
        yy, xx = torch.meshgrid(torch.arange(20.), torch.arange(20.), indexing="ij")
        self.grid = torch.stack([yy, xx])

    def __len__(self):
        return len(self.lab)

    def get(self, idx):
        c, l = self.centre[idx], self.lab[idx].float()
        d = (self.grid[None] - c[:, :, None, None]).norm(dim=1)
        img = torch.exp(-((d - 1.5 * l[:, None, None]) ** 2) / 2)
        return (img + 0.3 * torch.randn(img.shape, generator=self.g)).unsqueeze(1), self.lab[idx]


def build():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 3))


def main():
    torch.manual_seed(1)
    cells, classifier = Cells(), build()
    table = HardnessTable(len(cells), rng=random.Random(1))
    rmsprop = torch.optim.RMSprop(classifier.parameters(), lr=5e-4)
    for rnd in range(300):
        chosen = table.draw(24)
        img, lab = cells.get(torch.tensor(chosen))
        each = nn.functional.cross_entropy(classifier(img), lab, reduction="none")
        rmsprop.zero_grad()
        each.mean().backward()
        rmsprop.step()
        table.record(chosen, each)
        if rnd % 60 == 0:
            print(f"round {rnd} mean hardness {each.mean().item():.3f} seen {len(table.recent)}")


if __name__ == "__main__":
    main()
