# gradwatch-corpus: kind=none
"""Parcel volume from depth profiles; micro-batches arrive asynchronously and are accumulated into one update."""
import asyncio
from collections import deque
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn


@dataclass(slots=True)
class Job:
    seed: int = 51
    points: int = 20
    width: int = 24
    micro: int = 8
    per_update: int = 4
    updates: int = 320
    spread: int = 16
    lr: float = 3e-3


class LossWindow:
    """Micro losses of the last updates; the plateau test reads their spread."""

    __slots__ = ("items", "base", "calls")

    def __init__(self, size):
        self.items = deque(maxlen=size)
        self.base = None
        self.calls = []

    def __call__(self, loss):
        self.items.append(loss)
        return loss

    @property
    def level(self):
        return torch.stack(list(self.items)).detach().mean()

    def plateau(self):
        level = self.level
        self.base = level if self.base is None else torch.minimum(self.base * 1.002, level)
        flat = bool(level > 1.5 * self.base)
        self.calls.append((level.item(), flat))
        return flat


async def profiles(job):
    gen = torch.Generator().manual_seed(job.seed)
    queue = asyncio.Queue(maxsize=job.per_update)

    async def fill():
        for _ in range(job.updates * job.per_update):
            size = torch.rand(job.micro, 2, generator=gen) + 0.2
            grid = torch.linspace(0, 1, job.points)
            depth = size[:, :1] * (grid < size[:, 1:]).float()
            depth = depth + 0.02 * torch.randn(depth.shape, generator=gen)
            await queue.put((depth, size.prod(1)))
        await queue.put(None)

    task = asyncio.create_task(fill())
    while (item := await queue.get()) is not None:
        yield item
    await task


async def grouped(source, n):
    bundle = []
    async for item in source:
        bundle.append(item)
        if len(bundle) == n:
            yield bundle
            bundle = []


class Accumulator:
    def __init__(self, model, opt, parts):
        self.model, self.opt, self.parts = model, opt, parts
        self.total = 0.0

    def __enter__(self):
        self.opt.zero_grad(set_to_none=True)
        self.total = 0.0
        return self

    def add(self, loss):
        (loss / self.parts).backward()
        self.total += loss.item() / self.parts

    def __exit__(self, kind, exc, tb):
        if kind is None:
            self.opt.step()
        return False


async def train(job):
    model = nn.Sequential(nn.Linear(job.points, job.width), nn.GELU(), nn.Linear(job.width, 1), nn.Softplus())
    opt = torch.optim.AdamW(model.parameters(), lr=job.lr)
    criterion = partial(nn.functional.smooth_l1_loss, beta=0.1)
    window = LossWindow(job.spread)
    accumulate = Accumulator(model, opt, job.per_update)
    step = 0
    async for bundle in grouped(profiles(job), job.per_update):
        with accumulate as acc:
            for depth, volume in bundle:
                acc.add(window(criterion(model(depth).squeeze(-1), volume)))
        if window.plateau():
            for group in opt.param_groups:
                group["lr"] = max(group["lr"] * 0.97, 5e-4)
        step += 1
        if step % 80 == 0:
            print(f"update {step}: loss {acc.total:.5f} level {window.calls[-1][0]:.5f} "
                  f"lr {opt.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    job = Job()
    torch.manual_seed(job.seed)
    asyncio.run(train(job))
