"""Stages of the stream. A None travels through to say that the feed has ended."""
import asyncio

import torch


class Supervisor:
    """Owns fire-and-forget tasks for as long as they run."""

    def __init__(self):
        self._running = set()

    def spawn(self, coro):
        task = asyncio.create_task(coro)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def drain(self):
        if self._running:
            await asyncio.gather(*self._running)


async def profiles(out, count, gates, seed=9):
    gen = torch.Generator().manual_seed(seed)
    height = torch.linspace(0, 1, gates)
    sent = 0
    while sent < count:
        diameter = 0.8 + 1.6 * torch.rand((), generator=gen)
        slope = torch.rand((), generator=gen)
        echo = 6.0 * torch.log(diameter) - slope * height + 0.1 * torch.randn(gates, generator=gen)
        doppler = 3.0 * diameter.sqrt() * (1 + 0.1 * height) + 0.1 * torch.randn(gates, generator=gen)
        if torch.rand((), generator=gen) < 0.05:
            echo[int(torch.randint(gates, (), generator=gen))] = float("nan")
        else:
            sent += 1
        await out.put((torch.stack([echo, doppler]), diameter))
    await out.put(None)


async def quality_control(source, out):
    while (item := await source.get()) is not None:
        profile, _ = item
        if torch.isfinite(profile).all():
            await out.put(item)
    await out.put(None)


async def collate(source, out, size):
    pending = []
    while (item := await source.get()) is not None:
        pending.append(item)
        if len(pending) == size:
            xs, ys = zip(*pending)
            await out.put((torch.stack(xs), torch.stack(ys)))
            pending.clear()
    await out.put(None)
