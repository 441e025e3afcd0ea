# gradwatch-corpus: kind=graph-held
# holder: self.background | trainer.background | self._bus.background | self.bus.background | trainer.bus.background | bus.background | task.result() | task
# first-bad: 1
"""Autoencoder for spacecraft housekeeping telemetry, fed by an asyncio pipeline
(downlink -> calibrate -> batch -> train) as in our ground-station prototype."""
import asyncio
import math
import random

import torch
from torch import nn

CHANNELS = 12
WINDOW = 16
BATCH = 20
STEPS = 250
END = object()


class EventBus:
    """Fire-and-forget delivery to subscribers."""

    def __init__(self):
        self.subscribers = []
        self.background = set()

    def subscribe(self, coro_fn):
        self.subscribers.append(coro_fn)
        return coro_fn

    def publish(self, topic, **payload):
        for fn in self.subscribers:
            task = asyncio.create_task(fn(topic, payload))
            self.background.add(task)  # <- culprit


class Dashboard:
    def __init__(self):
        self.smooth = None
        self.worst = -math.inf

    async def __call__(self, topic, payload):
        await asyncio.sleep(0)
        if topic == "step":
            score = payload["score"]
            value = float(score.mean())
            self.smooth = value if self.smooth is None else 0.97 * self.smooth + 0.03 * value
            self.worst = max(self.worst, float(score.max()))
            if payload["step"] % 50 == 0:
                print(f"[{payload['step']:4d}] smooth {self.smooth:.4f} worst {self.worst:.3f}")
            return score  # <- culprit
        return None


async def downlink(queue, n_frames, rng):
    phase = [rng.uniform(0, 6.28) for _ in range(CHANNELS)]
    for k in range(n_frames):
        frame = []
        for c in range(CHANNELS):
            base = math.sin(0.02 * (c + 1) * k + phase[c])
            frame.append(base + rng.gauss(0.0, 0.05))
        await queue.put(frame)
    await queue.put(END)


async def calibrate(source, sink):
    gain = torch.linspace(0.8, 1.2, CHANNELS)
    while (frame := await source.get()) is not END:
        await sink.put(torch.tensor(frame) * gain)
    await sink.put(END)


async def batches(queue):
    rows, windows = [], []
    while (row := await queue.get()) is not END:
        rows.append(row)
        if len(rows) == WINDOW:
            windows.append(torch.stack(rows).flatten())
            rows = rows[WINDOW // 2:]
        if len(windows) == BATCH:
            yield torch.stack(windows)
            windows = []


class Trainer:
    def __init__(self, bus):
        self.bus = bus
        width = CHANNELS * WINDOW
        self.net = nn.Sequential(
            nn.Linear(width, 48), nn.GELU(), nn.Linear(48, 6), nn.Linear(6, 48), nn.GELU(), nn.Linear(48, width)
        )
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.step = 0

    def train_on(self, batch):
        score = (self.net(batch) - batch).pow(2).mean(dim=1)
        loss = score.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.publish("step", step=self.step, score=score)
        self.step += 1


async def main():
    torch.manual_seed(3)
    rng = random.Random(3)
    bus = EventBus()
    board = bus.subscribe(Dashboard())
    raw, clean = asyncio.Queue(maxsize=64), asyncio.Queue(maxsize=64)
    frames = WINDOW + (STEPS * BATCH) * (WINDOW // 2)
    feeders = [
        asyncio.create_task(downlink(raw, frames, rng)),
        asyncio.create_task(calibrate(raw, clean)),
    ]
    trainer = Trainer(bus)
    async for batch in batches(clean):
        trainer.train_on(batch)
    await asyncio.gather(*feeders)
    print(f"done after {trainer.step} steps, smooth {board.smooth:.4f}")


if __name__ == "__main__":
    asyncio.run(main())
