# gradwatch-corpus: kind=graph-chain
# holder: self.memory | cell.memory | filt.cell.memory | self.cell.memory
# first-bad: 1
# notice: 5
"""Online tide gauge filter: packets come in through an asyncio feed, one update per packet."""
import asyncio
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn


class Packet(NamedTuple):
    index: int
    reading: torch.Tensor
    truth: torch.Tensor


@dataclass
class Settings:
    gauges: int = 8
    width: int = 12
    lr: float = 0.05
    packets: int = 160
    seed: int = 31


class PlainSGD(torch.optim.Optimizer):
    """The in-house update rule, ported from the 2018 code."""

    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                g.clamp_(-1.0, 1.0)
                p.data.add_(g, alpha=-group["lr"])


class BlendCell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.inp = nn.Linear(inputs, width)
        self.rec = nn.Linear(width, width, bias=False)
        self.register_buffer("memory", torch.zeros(1, width), persistent=False)
        nn.init.orthogonal_(self.rec.weight, gain=0.7)

    def forward(self, x):
        fresh = torch.tanh(self.inp(x) + self.rec(self.memory))
        self.memory = 0.3 * self.memory + 0.7 * fresh  # <- culprit
        return self.memory


class TideFilter(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.cell = BlendCell(s.gauges, s.width)
        self.head = nn.Linear(s.width, 1)

    def forward(self, x):
        return self.head(self.cell(x)).squeeze(-1)


async def gauge_feed(s, queue):
    gen = torch.Generator().manual_seed(s.seed)
    phase = torch.rand(s.gauges, generator=gen) * math.pi
    for i in range(s.packets):
        level = math.sin(i / 9.0) + 0.4 * math.sin(i / 4.0 + 1.0)
        reading = torch.sin(phase + i / 9.0) + 0.2 * torch.randn(s.gauges, generator=gen)
        await queue.put(Packet(i, reading.unsqueeze(0), torch.tensor([level])))
    await queue.put(None)


async def packets(queue):
    while (item := await queue.get()) is not None:
        yield item


async def train(s):
    queue = asyncio.Queue(maxsize=4)
    producer = asyncio.create_task(gauge_feed(s, queue))
    filt = TideFilter(s)
    opt = PlainSGD(filt.parameters(), lr=s.lr)
    smooth = None
    async for pk in packets(queue):
        error = (filt(pk.reading) - pk.truth).pow(2).mean()
        opt.zero_grad()
        error.backward(retain_graph=True)  # <- culprit
        opt.step()
        value = error.item()
        smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
        if pk.index % 40 == 39:
            print(f"packet {pk.index + 1}: error {smooth:.4f}")
    await producer


if __name__ == "__main__":
    torch.set_num_threads(1)
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    asyncio.run(train(cfg))
