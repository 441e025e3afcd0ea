# gradwatch-corpus: kind=none
"""Radar gesture classifier. Everything gathered in an epoch lives on a ledger that is replaced at the epoch's end."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Ledger:
    """Per-epoch notes: every step writes its own attribute, the summary reads them all."""

    def __init__(self, epoch):
        self.epoch = epoch
        self.steps = 0

    def note(self, **values):
        for key, value in values.items():
            setattr(self, f"{key}_{self.steps}", value)
        self.steps += 1

    def column(self, key):
        return torch.cat([getattr(self, f"{key}_{i}") for i in range(self.steps)])


class SpectrumCache:
    def __init__(self, size=24):
        self.size = size
        self.store = OrderedDict()
        self.hits = 0

    def __call__(self, key, make):
        if key in self.store:
            self.hits += 1
            self.store.move_to_end(key)
            return self.store[key]
        value = self.store[key] = make()
        if len(self.store) > self.size:
            self.store.popitem(last=False)
        return value


class GestureNet(nn.Module):
    def __init__(self, classes=6):
        super().__init__()
        self.a = nn.Conv1d(8, 32, 7, stride=2, padding=3)
        self.b = nn.Conv1d(32, 64, 5, stride=2, padding=2)
        self.out = nn.Linear(64, classes)

    def forward(self, x):
        h = F.relu(self.b(F.relu(self.a(x))))
        return self.out(h.amax(-1)), h


class Recordings:
    def __init__(self, chunks=40, seed=3):
        self.seed = seed
        self.chunks = chunks
        self.cache = SpectrumCache()

    def chunk(self, i):
        gen = torch.Generator().manual_seed(self.seed * 1000 + i)
        y = torch.randint(0, 6, (32,), generator=gen)
        t = torch.arange(256).float()
        wave = torch.sin(t * (0.1 + 0.07 * y[:, None]))
        x = wave[:, None] + 0.8 * torch.randn(32, 8, 256, generator=gen)
        return torch.fft.rfft(x).abs().log1p(), y

    def epoch(self, gen):
        for i in torch.randperm(self.chunks, generator=gen).tolist():
            yield self.cache(i, lambda: self.chunk(i))


class Trainer:
    def __init__(self):
        self.net = GestureNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.ledger = Ledger(0)

    def step(self, x, y):
        self.opt.zero_grad()
        logits, h = self.net(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        self.opt.step()
        self.ledger.note(right=logits.argmax(1) == y, maps=h.detach())

    def close_epoch(self):
        done, self.ledger = self.ledger, Ledger(self.ledger.epoch + 1)
        maps = done.column("maps")
        return done.column("right").float().mean().item(), (maps > 0).float().mean().item()


def main():
    torch.manual_seed(26)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(27)
    data = Recordings()
    trainer = Trainer()
    for epoch in range(4):
        for x, y in data.epoch(gen):
            trainer.step(x, y)
        right, active = trainer.close_epoch()
        print(f"epoch {epoch} right {right:.3f} active {active:.3f} hits {data.cache.hits}")


if __name__ == "__main__":
    main()
