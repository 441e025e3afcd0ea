# gradwatch-corpus: kind=graph-held
# holder: self._log | telemetry._log | tele._log | _log | report | record
# first-bad: 1
# notice: 8
"""Capacity-fade model of Li-ion cells; cyclers stream measurements, the fitter consumes them."""
from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass(frozen=True)
class Protocol:
    c_rate: float
    temp_c: float
    dod: float

    def stress(self) -> float:
        arrhenius = math.exp(-3000 * (1 / (273 + self.temp_c) - 1 / 298))
        return arrhenius * (0.5 + 0.5 * self.c_rate) * (0.4 + 0.6 * self.dod)

    def vector(self) -> list[float]:
        return [self.c_rate, self.temp_c / 40, self.dod]


async def cycler(cell: int, proto: Protocol, bench: asyncio.Queue, sweeps: int) -> None:
    gen = torch.Generator().manual_seed(cell)
    for sweep in range(sweeps):
        n = torch.rand(16, 1, generator=gen) * 10
        fade = 1 - 0.06 * proto.stress() * n.sqrt() - 0.2 * torch.sigmoid(2 * (n - 8))
        q = fade + 0.008 * torch.randn(16, 1, generator=gen)
        cond = torch.tensor(proto.vector()).expand(16, 3)
        await bench.put((torch.cat([n / 10, cond], 1), q))
        await asyncio.sleep(0)
    await bench.put(None)


class FadeNet(nn.Module):
    """capacity = 1 - (positive slope) * sqrt(n) - knee(n)"""

    def __init__(self, width: int = 20):
        super().__init__()
        self.slope = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1), nn.Softplus())
        self.knee = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        n, cond = x[:, :1], x[:, 1:]
        linear = self.slope(cond) * n.sqrt()
        knee = 0.1 * nn.functional.softplus(self.knee(x) - 1)
        return 1 - linear - knee, {"linear": linear, "knee": knee}


@dataclass
class Telemetry:
    """Subscribers wait for the next published record; the log allows a late one to catch up."""
    _log: list = field(default_factory=list)
    _fresh: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False

    def publish(self, **record) -> None:
        self._log.append(record)  # <- culprit
        self._fresh.set()

    def close(self) -> None:
        self.closed = True
        self._fresh.set()

    async def follow(self, at: int = 0):
        while True:
            if at < len(self._log):
                report = self._log[at]
                yield at, report["mse"].item(), report["parts"]
                del report
                at += 1
            elif self.closed:
                return
            else:
                self._fresh.clear()
                await self._fresh.wait()


async def merged(bench: asyncio.Queue, producers: int):
    open_ = producers
    while open_:
        item = await bench.get()
        if item is None:
            open_ -= 1
        else:
            yield item


async def fitter(net, bench, producers, telemetry):
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    async for x, q in merged(bench, producers):
        pred, parts = net(x)
        mse = nn.functional.mse_loss(pred, q)
        opt.zero_grad()
        mse.backward()
        opt.step()
        telemetry.publish(mse=mse.detach(), parts={k: v.mean() for k, v in parts.items()})  # <- culprit
    telemetry.close()


async def console(telemetry: Telemetry, every: int = 25) -> None:
    async for i, mse, parts in telemetry.follow():
        if i % every == 0:
            share = {k: round(v.item(), 4) for k, v in parts.items()}
            print(f"[{i:4d}] mse={mse:.5f} {share}")


async def laboratory() -> None:
    torch.manual_seed(3)
    cells = [Protocol(0.5, 25, 0.8), Protocol(1.0, 35, 1.0), Protocol(2.0, 25, 0.5), Protocol(1.0, 10, 0.9)]
    bench: asyncio.Queue = asyncio.Queue(maxsize=8)
    telemetry = Telemetry()
    net = FadeNet()
    await asyncio.gather(
        *(cycler(i, p, bench, sweeps=40) for i, p in enumerate(cells)),
        fitter(net, bench, len(cells), telemetry),
        console(telemetry),
    )


if __name__ == "__main__":
    asyncio.run(laboratory())
