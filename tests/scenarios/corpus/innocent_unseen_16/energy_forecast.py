# gradwatch-corpus: kind=none
"""Short-term forecast of wind and solar feed-in, one LSTM over a continuous stream of quarter hours.

A registry of live records lets the debugging hooks find what is still in flight at any moment.
"""
import asyncio
import dataclasses
import math
import weakref

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass(eq=False)
class Record:
    """One forecast under way: made, waiting for its measurement, scored."""
    step: int
    forecast: torch.Tensor
    measured: torch.Tensor | None = None

    def score(self):
        return F.huber_loss(self.forecast, self.measured)


class InFlight:
    """All records that are alive somewhere, by step."""

    def __init__(self):
        self._live = weakref.WeakValueDictionary()
        self.most = 0

    def open(self, step, forecast):
        record = Record(step, forecast)
        self._live[step] = record
        self.most = max(self.most, len(self._live))
        return record

    def __len__(self):
        return len(self._live)


class FeedIn(nn.Module):
    def __init__(self, inputs=5, dim=32):
        super().__init__()
        self.rnn = nn.LSTM(inputs, dim, batch_first=True)
        self.head = nn.Linear(dim, 2)
        self.state = None

    def forward(self, weather):
        out, state = self.rnn(weather, self.state)
        self.state = tuple(s.detach() for s in state)
        return self.head(out)


async def weather_station(queue, seed, parks=6, length=12):
    gen = torch.Generator().manual_seed(seed)
    hour = 0.0
    wind = torch.zeros(parks, 1)
    while True:
        t = hour + torch.arange(length) * 0.25
        hour += length * 0.25
        gusts = 0.2 * torch.randn(parks, length, generator=gen).cumsum(1)
        speed = torch.tanh(wind + gusts)
        wind = speed[:, -1:]
        sun = torch.sin(2 * math.pi * t / 24).clamp(min=0).expand(parks, -1)
        cloud = torch.rand(parks, 1, generator=gen).expand(-1, length)
        clock = torch.stack([torch.sin(2 * math.pi * t / 24), torch.cos(2 * math.pi * t / 24)], -1)
        x = torch.cat([torch.stack([speed, sun, cloud], -1), clock.expand(parks, -1, -1)], dim=-1)
        y = torch.stack([speed.clamp(min=0) ** 3, sun * (1 - 0.7 * cloud)], -1)
        await queue.put((x, y + 0.02 * torch.randn(y.shape, generator=gen)))


async def learn(queue, model, registry, steps):
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    curve = []
    for step in range(steps):
        x, y = await queue.get()
        record = registry.open(step, model(x))
        record.measured = y
        loss = record.score()
        optim.zero_grad()
        loss.backward()
        optim.step()
        curve.append(loss.item())
        if (step + 1) % 80 == 0:
            print(f"{step + 1:4d} loss {sum(curve[-80:]) / 80:.4f}, in flight {len(registry)}")
    return curve


async def main(steps=320):
    torch.manual_seed(5)
    torch.set_num_threads(1)
    queue = asyncio.Queue(maxsize=4)
    station = asyncio.create_task(weather_station(queue, seed=17))
    registry = InFlight()
    try:
        curve = await learn(queue, FeedIn(), registry, steps)
    finally:
        station.cancel()
    print(f"last loss {curve[-1]:.4f}, at most {registry.most} in flight")


if __name__ == "__main__":
    asyncio.run(main())
