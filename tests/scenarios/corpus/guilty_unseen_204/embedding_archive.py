# gradwatch-corpus: kind=memory-climb
# first-bad: 1
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class ArchiveConfig:
    namespace: str = "train"
    keep_last: int = 10


class Archive:
    def __init__(self, config):
        self.config = config
        self._items = {}
        self._order = []

    def put(self, key, tensor):
        full = f"{self.config.namespace}/{key}"
        self._items[full] = tensor.detach().clone()  # <- culprit
        self._order.append(full)

    def recent(self):
        names = self._order[-self.config.keep_last:]
        return torch.stack([self._items[n] for n in names])


class ArchivingMixin:
    archive = None

    def use_archive(self, archive):
        self.archive = archive
        self.calls = 0
        return self

    def stash(self, features):
        if self.archive is not None and self.training:
            self.archive.put(f"batch{self.calls:06d}", features)
            self.calls += 1
        return features


class PairEncoder(ArchivingMixin, nn.Module):
    def __init__(self, dim=24, out=256):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, out))

    def encode(self, x):
        return F.normalize(self.net(x), dim=1)

    def forward(self, a, b):
        za = self.stash(self.encode(a))
        return za @ self.encode(b).t()


def views(steps, seed, size=128, dim=24):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        base = torch.randn(size, dim, generator=gen)
        a = base + 0.3 * torch.randn(size, dim, generator=gen)
        b = base + 0.3 * torch.randn(size, dim, generator=gen)
        yield a, b


class ContrastiveTrainer:
    def __init__(self, model, temperature=0.2, lr=1e-3):
        self.model = model
        self.temperature = temperature
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, a, b):
        logits = self.model(a, b) / self.temperature
        loss = F.cross_entropy(logits, torch.arange(len(a)))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def spread(self):
        recent = self.model.archive.recent()
        return recent.std(dim=(0, 1)).mean().item()


def main():
    torch.manual_seed(30)
    model = PairEncoder().use_archive(Archive(ArchiveConfig()))
    trainer = ContrastiveTrainer(model)
    for i, (a, b) in enumerate(views(420, seed=31)):
        loss = trainer.step(a, b)
        if i % 70 == 0:
            print(i, round(loss, 4), round(trainer.spread(), 4))


if __name__ == "__main__":
    main()
