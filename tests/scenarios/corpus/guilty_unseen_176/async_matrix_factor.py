# gradwatch-corpus: kind=graph-held
# holder: events | events._queue
# first-bad: 1
"""Implicit-feedback matrix factorisation (BPR) with an async metrics channel."""
import asyncio
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

USERS, ITEMS, RANK = 300, 500, 16


class Event(NamedTuple):
    step: int
    name: str
    value: torch.Tensor


class BPR(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, RANK)
        self.item = nn.Embedding(ITEMS, RANK)
        self.bias = nn.Embedding(ITEMS, 1)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def forward(self, u, pos, neg):
        return self.score(u, pos) - self.score(u, neg)


async def triples(n: int, batch: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(USERS, 4, generator=g) @ torch.randn(4, ITEMS, generator=g)
    for _ in range(n):
        u = torch.randint(USERS, (batch,), generator=g)
        a = torch.randint(ITEMS, (batch,), generator=g)
        b = torch.randint(ITEMS, (batch,), generator=g)
        better = taste[u, a] > taste[u, b]
        yield u, torch.where(better, a, b), torch.where(better, b, a)
        await asyncio.sleep(0)


async def train(events: asyncio.Queue, steps: int) -> None:
    model = BPR()
    opt = torch.optim.Adagrad(model.parameters(), lr=0.08)
    step = 0
    async for u, pos, neg in triples(steps, 256, seed=6):
        margin = model(u, pos, neg)
        loss = -F.logsigmoid(margin).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        auc = (margin > 0).float().mean()
        await events.put(Event(step, "auc", auc))
        await events.put(Event(step, "margin", margin.mean()))  # <- culprit
        if step % 120 == 0:
            print(f"step {step} bpr {loss.item():.4f} auc {auc.item():.3f}")
        step += 1


async def summarise(events: asyncio.Queue) -> dict[str, float]:
    totals: dict[str, list[float]] = {}
    while not events.empty():
        event = events.get_nowait()
        totals.setdefault(event.name, []).append(float(event.value))
    return {k: sum(v[-50:]) / len(v[-50:]) for k, v in totals.items()}


async def main() -> None:
    torch.manual_seed(0)
    events: asyncio.Queue[Event] = asyncio.Queue()
    await train(events, steps=600)
    print(await summarise(events))


if __name__ == "__main__":
    asyncio.run(main())
