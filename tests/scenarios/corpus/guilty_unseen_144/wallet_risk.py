# gradwatch-corpus: kind=second-backward
# holder: msg.features | features
# first-bad: 30
# notice: 0
import asyncio
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(15)
HEADS = {"fraud": {"from_step": 0, "col": 0}, "chargeback": {"from_step": 30, "col": 1}}


@dataclass
class Msg:
    step: int
    features: torch.Tensor
    labels: torch.Tensor


class Worker:
    def __init__(self, name, from_step, col):
        self.name, self.from_step, self.col = name, from_step, col
        self.layer = nn.Linear(12, 1)
        self.inbox, self.ready = asyncio.Queue(maxsize=2), asyncio.Queue()
        self.done = 0

    async def serve(self):
        while (msg := await self.inbox.get()) is not None:
            if msg.step >= self.from_step:
                out = self.layer(msg.features).squeeze(1)
                nn.functional.binary_cross_entropy_with_logits(out, msg.labels[:, self.col]).backward()  # <- culprit
                self.done += 1
            await self.ready.put(msg.step)


async def produce(trunk, workers, opt, steps):
    for step in range(steps):
        tx = torch.randn(20, 10)
        labels = torch.stack([(tx[:, 0] > 0.3), (tx[:, 1] + tx[:, 2] > 0)], 1).float()
        opt.zero_grad()
        features = trunk(tx)
        for w in workers:
            await w.inbox.put(Msg(step, features, labels))  # <- culprit
        for w in workers:
            await w.ready.get()
        opt.step()
    for w in workers:
        await w.inbox.put(None)


async def main():
    trunk = nn.Sequential(nn.Linear(10, 16), nn.LeakyReLU(), nn.Linear(16, 12), nn.Tanh())
    workers = [Worker(k, **v) for k, v in HEADS.items()]
    params = [*trunk.parameters(), *(p for w in workers for p in w.layer.parameters())]
    opt = torch.optim.Adam(params, 3e-3)
    await asyncio.gather(produce(trunk, workers, opt, 240), *(w.serve() for w in workers))
    print({w.name: w.done for w in workers})


asyncio.run(main())
