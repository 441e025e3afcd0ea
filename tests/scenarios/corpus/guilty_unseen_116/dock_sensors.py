# gradwatch-corpus: kind=graph-held
# holder: sink.queue | self.queue | self.queue._queue | sink.queue._queue | trainer.sink.queue
# first-bad: 2
# notice: 8
"""Anomaly autoencoder for loading-dock sensors; training and metric shipping share one event loop."""
import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn


@dataclass
class Conf:
    seed: int = 44
    channels: int = 24
    code: int = 5
    rounds: int = 360
    batch: int = 32
    ship_every: int = 6
    lr: float = 2e-3


class MetricSink:
    """Collects callables; the shipping task evaluates one batch of them each time it is woken."""

    def __init__(self, per_wake=2):
        self.queue = asyncio.Queue()
        self.wake = asyncio.Event()
        self.per_wake = per_wake
        self.shipped = {}

    def defer(self, fn, /, *args):
        self.queue.put_nowait(partial(fn, *args))  # <- culprit

    def _evaluate_one(self):
        name, step, value = self.queue.get_nowait()()
        self.shipped.setdefault(name, []).append((step, value))

    async def ship(self):
        while True:
            await self.wake.wait()
            self.wake.clear()
            for _ in range(min(self.per_wake, self.queue.qsize())):
                self._evaluate_one()

    def drain(self):
        while not self.queue.empty():
            self._evaluate_one()


@asynccontextmanager
async def shipping(sink):
    task = asyncio.create_task(sink.ship())
    try:
        yield sink
    finally:
        task.cancel()
        sink.drain()


def as_metric(name, step, value):
    return name, step, round(float(value), 5)


class DockTrainer:
    def __init__(self, conf, sink):
        self.conf, self.sink = conf, sink
        self.enc = nn.Sequential(nn.Linear(conf.channels, 16), nn.Tanh(), nn.Linear(16, conf.code))
        self.dec = nn.Sequential(nn.Linear(conf.code, 16), nn.Tanh(), nn.Linear(16, conf.channels))
        params = [*self.enc.parameters(), *self.dec.parameters()]
        self.opt = torch.optim.Adam(params, lr=conf.lr)

    async def feed(self):
        gen = torch.Generator().manual_seed(self.conf.seed)
        mix = torch.randn(self.conf.code, self.conf.channels, generator=gen)
        for _ in range(self.conf.rounds):
            z = torch.randn(self.conf.batch, self.conf.code, generator=gen)
            yield torch.tanh(z @ mix) + 0.05 * torch.randn(self.conf.batch, self.conf.channels, generator=gen)

    def losses(self, x):
        code = self.enc(x + 0.1 * torch.randn_like(x))
        recon = (self.dec(code) - x).pow(2).mean()
        sparsity = code.abs().mean()
        return recon, sparsity

    async def run(self):
        step = 0
        async for x in self.feed():
            recon, sparsity = self.losses(x)
            self.opt.zero_grad()
            (recon + 0.01 * sparsity).backward()
            self.opt.step()
            self.sink.defer(as_metric, "recon", step, recon)  # <- culprit
            if step % self.conf.ship_every == 0:
                self.sink.wake.set()
                await asyncio.sleep(0)
            step += 1


async def main():
    conf = Conf()
    torch.manual_seed(conf.seed)
    async with shipping(MetricSink()) as sink:
        trainer = DockTrainer(conf, sink)
        await trainer.run()
    for name, rows in sink.shipped.items():
        print(name, "first", rows[0], "last", rows[-1], "count", len(rows))


if __name__ == "__main__":
    torch.set_num_threads(1)
    asyncio.run(main())
