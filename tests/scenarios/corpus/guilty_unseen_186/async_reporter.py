# gradwatch-corpus: kind=graph-held
# holder: self.buffer | reporter.buffer | event.payload | self.buffer[i].payload
# first-bad: 1
"""Recommender training with an asyncio reporter task next to the loop."""
import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Event:
    kind: str
    step: int
    payload: dict[str, Any]
    stamp: float = field(default_factory=time.monotonic)


class Reporter:
    """Receives events on a queue and aggregates them for the final report."""

    def __init__(self, print_every=100):
        self.queue = asyncio.Queue(maxsize=16)
        self.buffer = []
        self.print_every = print_every

    async def emit(self, kind, step, **payload):
        await self.queue.put(Event(kind, step, payload))

    async def run(self):
        while True:
            event = await self.queue.get()
            if event is None:
                return
            self.handle(event)

    def handle(self, event):
        if event.kind == "train":
            self.buffer.append(event)  # <- culprit
        if event.step % self.print_every == 0:
            shown = {k: round(float(v), 4) for k, v in event.payload.items()}
            print(event.kind, event.step, shown, flush=True)

    def report(self):
        n = len(self.buffer)
        span = self.buffer[-1].stamp - self.buffer[0].stamp
        mean = sum(float(e.payload["loss"]) for e in self.buffer) / n
        return f"{n} steps in {span:.1f}s, mean loss {mean:.4f}"


class TwoTower(nn.Module):
    def __init__(self, users=200, items=150, dim=16):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.proj = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, dim))
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, u, i):
        return (self.proj(self.user(u)) * self.item(i)).sum(-1) + self.bias[i]


class Interactions:
    def __init__(self, seed=6):
        self.g = torch.Generator().manual_seed(seed)
        self.a = torch.randn(200, 4, generator=self.g)
        self.b = torch.randn(150, 4, generator=self.g)

    def sample(self, n=32):
        u = torch.randint(0, 200, (n,), generator=self.g)
        i = torch.randint(0, 150, (n,), generator=self.g)
        y = ((self.a[u] * self.b[i]).sum(-1) > 0).float()
        return u, i, y


async def train(model, data, reporter, steps=500):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(steps):
        u, i, y = data.sample()
        logits = model(u, i)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc = ((logits > 0).float() == y).float().mean().item()
        await reporter.emit("train", step, loss=loss, acc=acc)  # <- culprit
        await asyncio.sleep(0)
    await reporter.queue.put(None)


async def main():
    torch.manual_seed(0)
    reporter = Reporter()
    consumer = asyncio.create_task(reporter.run())
    await train(TwoTower(), Interactions(), reporter)
    await consumer
    print(reporter.report())


if __name__ == "__main__":
    asyncio.run(main())
