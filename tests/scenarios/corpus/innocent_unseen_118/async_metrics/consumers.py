import asyncio

import torch

from producer import STOP


class Consumer:
    def __init__(self, maxsize):
        self.queue = asyncio.Queue(maxsize=maxsize)
        self.count = 0

    async def consume(self):
        while True:
            message = await self.queue.get()
            if message is STOP:
                break
            self.handle(*message)
            self.count += 1
            await asyncio.sleep(0)

    def handle(self, step, payload):
        raise NotImplementedError


class MetricConsumer(Consumer):
    def __init__(self, maxsize):
        super().__init__(maxsize)
        self.window = []

    def handle(self, step, payload):
        self.window.append(payload)
        if len(self.window) == 5:
            mean = torch.stack([p["loss"] for p in self.window]).mean().item()
            act = torch.stack([p["seq"].abs().mean() for p in self.window]).mean().item()
            self.window = []
            if step % 85 == 84:
                print(f"step {step + 1}: loss {mean:.4f} activity {act:.4f}")


class WeightNormConsumer(Consumer):
    def __init__(self, maxsize, module):
        super().__init__(maxsize)
        self.module = module
        self.norms = {}

    def handle(self, step, payload):
        with torch.no_grad():
            self.norms[step] = (payload["pred"].std(), sum(p.norm() for p in self.module.parameters()))
