# gradwatch-corpus: kind=none
"""Conversion model for ads: labels come late, so features wait in a buffer and are scored again on arrival."""
import collections
import heapq
import itertools

import torch
import torch.nn.functional as F
from torch import nn


class ClickSource:
    def __init__(self, seed, dim=16):
        self.gen = torch.Generator().manual_seed(seed)
        self.dim = dim
        self.coef = torch.randn(dim, generator=self.gen)

    def clicks(self, n):
        x = torch.randn(n, self.dim, generator=self.gen)
        p = torch.sigmoid(x @ self.coef - 1.0)
        y = torch.bernoulli(p, generator=self.gen)
        delay = int(torch.randint(1, 7, (1,), generator=self.gen))
        return x, y, delay


class DelayBuffer:
    def __init__(self):
        self._heap = []
        self._tie = itertools.count()

    def add(self, due, x, y, served):
        heapq.heappush(self._heap, (due, next(self._tie), x, y, served))

    def ready(self, now):
        while self._heap and self._heap[0][0] <= now:
            _, _, x, y, served = heapq.heappop(self._heap)
            yield x, y, served

    def __len__(self):
        return len(self._heap)


class ConversionModel(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.cross = nn.Linear(dim, dim)
        self.deep = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 8))
        self.out = nn.Linear(dim + 8, 1)

    def forward(self, x):
        crossed = x * self.cross(x) + x
        return self.out(torch.cat([crossed, self.deep(x)], dim=1)).squeeze(1)


class AccumulatingTrainer:
    def __init__(self, model, every):
        self.model = model
        self.every = every
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.micro = 0
        self.loss_sum = torch.zeros(())
        self.shift = collections.deque(maxlen=40)

    def feed(self, x, y, served):
        logits = self.model(x)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        (loss / self.every).backward()
        self.loss_sum += loss.detach()
        self.shift.append((torch.sigmoid(logits.detach()) - served).abs().mean())
        self.micro += 1
        if self.micro % self.every == 0:
            self.opt.step()
            self.opt.zero_grad()

    def report(self):
        mean = (self.loss_sum / max(self.micro, 1)).item()
        shift = torch.stack(list(self.shift)).mean().item()
        return mean, shift


def main():
    torch.manual_seed(8)
    source = ClickSource(8)
    model = ConversionModel(source.dim)
    trainer = AccumulatingTrainer(model, every=4)
    buffer = DelayBuffer()
    for now in range(160):
        x, y, delay = source.clicks(48)
        with torch.no_grad():
            served = torch.sigmoid(model(x))
        buffer.add(now + delay, x, y, served)
        for batch in buffer.ready(now):
            trainer.feed(*batch)
        if now % 40 == 39:
            mean, shift = trainer.report()
            print(f"t={now + 1} logloss {mean:.4f} served/now shift {shift:.4f} waiting {len(buffer)}")


if __name__ == "__main__":
    main()
