# gradwatch-corpus: kind=graph-held
# holder: self.priority | sampler.priority | self.sampler.priority
# first-bad: 1
"""Yield per tree from leaf and soil readings; hard trees are drawn more often."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Sampler


class Trees(Dataset):
    def __init__(self, n=1500, features=14):
        gen = torch.Generator().manual_seed(3)
        self.x = torch.randn(n, features, generator=gen)
        self.y = (self.x[:, :3].prod(1) + self.x[:, 3:6].sum(1).tanh()).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


@dataclass
class HardFirst(Sampler):
    """Yields batches of indices; a tree's weight is its last seen loss."""
    size: int
    batch: int
    batches: int
    floor: float = 0.05
    priority: dict = field(default_factory=dict)

    def __post_init__(self):
        self.gen = torch.Generator().manual_seed(9)

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            weights = torch.tensor([self._weight(i) for i in range(self.size)])
            yield torch.multinomial(weights, self.batch, generator=self.gen).tolist()

    def _weight(self, i):
        value = self.priority.get(i)
        return 1.0 if value is None else self.floor + value.item()

    def feedback(self, indices, losses):
        self.priority.update(zip(indices.tolist(), losses))  # <- culprit


class Fitter:
    def __init__(self, net, loader, lr):
        self.net, self.loader = net, loader
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.listeners = []

    def per_sample(self, pred, target):
        return F.mse_loss(pred, target, reduction="none").mean(1)

    def _notify(self, *args):
        for listen in self.listeners:
            listen(*args)

    def epoch(self):
        shown = 0.0
        for idx, x, y in self.loader:
            losses = self.per_sample(self.net(x), y)
            loss = losses.mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            shown += loss.item()
            self._notify(idx, losses)  # <- culprit
        return shown / len(self.loader)


class RobustFitter(Fitter):
    def per_sample(self, pred, target):
        return F.huber_loss(pred, target, reduction="none", delta=0.5).mean(1)


def main():
    torch.manual_seed(6)
    trees = Trees()
    sampler = HardFirst(len(trees), batch=24, batches=30)
    loader = DataLoader(trees, batch_sampler=sampler)
    net = nn.Sequential(nn.Linear(14, 64), nn.ELU(), nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 1))
    fitter = RobustFitter(net, loader, lr=2e-3)
    fitter.listeners.append(sampler.feedback)
    for epoch in range(3):
        mean = fitter.epoch()
        print(f"epoch {epoch}: loss {mean:.4f}, {len(sampler.priority)} trees weighted")


if __name__ == "__main__":
    main()
