# gradwatch-corpus: kind=none
"""Two asyncio producers, one trainer, one metric consumer that drains in chunks."""
import asyncio
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, d=16, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.Tanh(), nn.Linear(32, z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.Tanh(), nn.Linear(32, d))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


async def producer(q, kind, n):
    g = torch.Generator().manual_seed(kind)
    basis = torch.randn(3, 16, generator=g)
    for _ in range(n):
        await q.put((kind, torch.tanh(torch.randn(24, 3, generator=g) @ basis)))


class Metrics:
    def __init__(self, chunk=12):
        self.q = asyncio.Queue(maxsize=4)
        self.chunk, self.buffer = chunk, []
        self.codes = deque(maxlen=8)
        self.lines = []

    async def consume(self):
        while (item := await self.q.get()) is not None:
            step, kind, rec, z = item
            self.buffer.append((kind, rec))
            self.codes.append(z)
            if len(self.buffer) >= self.chunk:
                self.flush(step)

    def flush(self, step):
        by_kind = {}
        for kind, rec in self.buffer:
            by_kind.setdefault(kind, []).append(rec)
        spread = torch.cat(list(self.codes)).std().item()
        self.lines.append((step, {k: round(torch.stack(v).mean().item(), 4) for k, v in by_kind.items()}, spread))
        self.buffer.clear()


async def trainer(data, metrics, steps):
    model = Autoencoder()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        kind, x = await data.get()
        rec, z = model(x)
        loss = F.mse_loss(rec, x) + 1e-3 * z.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        await metrics.q.put((step, kind, loss, z))
        if step % 100 == 99:
            print(metrics.lines[-1], flush=True)
    await metrics.q.put(None)


async def main():
    torch.manual_seed(0)
    data, metrics = asyncio.Queue(maxsize=4), Metrics()
    await asyncio.gather(producer(data, 0, 250), producer(data, 1, 250),
                         trainer(data, metrics, 500), metrics.consume())
    print(len(metrics.lines), "chunks")


if __name__ == "__main__":
    asyncio.run(main())
