# gradwatch-corpus: kind=none
"""Streaming drop-size retrieval from vertically pointing radar: three asyncio stages feed a small
regressor that trains on whatever arrives."""
import asyncio

import torch

from pipeline import Supervisor, collate, profiles, quality_control
from retrieval import Retrieval

MINIBATCHES = 240


async def train(supervisor, ready, retrieval):
    step = 0
    while True:
        batch = await ready.get()
        if batch is None:
            return step
        loss = retrieval.fit(*batch)
        supervisor.spawn(retrieval.announce(step, loss))
        step += 1
        await asyncio.sleep(0)


async def main():
    torch.manual_seed(35)
    raw = asyncio.Queue(maxsize=32)
    good = asyncio.Queue(maxsize=32)
    ready = asyncio.Queue(maxsize=2)
    retrieval = Retrieval(gates=20)
    supervisor = Supervisor()
    async with asyncio.TaskGroup() as group:
        group.create_task(profiles(raw, MINIBATCHES * 16, gates=20))
        group.create_task(quality_control(raw, good))
        group.create_task(collate(good, ready, size=16))
        trainer = group.create_task(train(supervisor, ready, retrieval))
    await supervisor.drain()
    print(f"{trainer.result()} minibatches, final smoothed loss {retrieval.smooth:.4f}")


if __name__ == "__main__":
    asyncio.run(main())
