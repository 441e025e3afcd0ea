# gradwatch-corpus: kind=graph-held
# holder: self.queue | sink.queue | queue | self.queue._queue | record | event
# first-bad: 1
"""Behaviour cloning for a two-finger gripper. Metrics go through an asyncio queue to a writer task, the way our cell
controller wants its telemetry."""
import asyncio
import statistics
import time
from typing import NamedTuple, Optional

import torch
from torch import nn
from torch.distributions import Independent, Normal

OBS, ACT, BATCH, STEPS = 18, 4, 64, 230


class Event(NamedTuple):
    step: int
    wall: float
    metrics: dict


class TelemetrySink:
    """Producer side is synchronous, consumer side is a task on the cell's loop."""

    def __init__(self):
        self.queue: asyncio.Queue[Optional[Event]] = asyncio.Queue()
        self.rows = []

    def emit(self, step, **metrics):
        event = Event(step, time.perf_counter(), metrics)
        self.queue.put_nowait(event)  # <- culprit

    def close(self):
        self.queue.put_nowait(None)

    async def run(self):
        while (event := await self.queue.get()) is not None:
            row = {k: float(v) for k, v in event.metrics.items()}
            self.rows.append((event.step, event.wall, row))

    def summary(self):
        for name in ("nll", "mse"):
            tail = [row[name] for _, _, row in self.rows[-50:]]
            print(f"{name}: mean of last 50 = {statistics.fmean(tail):.4f}")


class Demonstrations:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.gain = torch.randn(OBS, ACT, generator=self.g) / OBS**0.5

    def sample(self):
        obs = torch.randn(BATCH, OBS, generator=self.g)
        act = torch.tanh(obs @ self.gain) + 0.05 * torch.randn(BATCH, ACT, generator=self.g)
        return obs, act


class GaussianPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBS, 64), nn.LayerNorm(64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mu = nn.Linear(64, ACT)
        self.log_std = nn.Parameter(torch.full((ACT,), -0.5))

    def forward(self, obs):
        mu = self.mu(self.body(obs))
        return Independent(Normal(mu, self.log_std.exp().expand_as(mu)), 1)


class Cloner:
    def __init__(self, sink):
        self.sink = sink
        self.demos = Demonstrations()
        self.policy = GaussianPolicy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=2e-3)

    def step(self, k):
        obs, act = self.demos.sample()
        dist = self.policy(obs)
        nll = -dist.log_prob(act).mean()
        self.opt.zero_grad()
        nll.backward()
        self.opt.step()
        mse = (dist.mean - act).pow(2).mean()
        self.sink.emit(k, nll=nll, mse=mse)  # <- culprit
        return nll

    async def train(self):
        for k in range(STEPS):
            nll = self.step(k)
            if k % 60 == 0:
                print(f"step {k:3d}: nll {nll.item():+.3f}")
        self.sink.close()


async def cell():
    torch.manual_seed(4)
    sink = TelemetrySink()
    cloner = Cloner(sink)
    writer = asyncio.create_task(sink.run())
    await cloner.train()
    await writer
    sink.summary()


if __name__ == "__main__":
    asyncio.run(cell())
