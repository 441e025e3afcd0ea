# gradwatch-corpus: kind=graph-held
# holder: self._inflight | reporter._inflight | self.reporter._inflight | plugin._inflight | out.metrics["chamfer"] | out.metrics | done
# first-bad: 1
# notice: 8
"""Point-cloud autoencoder; loading, training and reporting are coroutines on one event loop."""
import asyncio
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Protocol, runtime_checkable

import torch
from torch import Tensor, nn


@dataclass
class Settings:
    clouds: int = 8
    points: int = 24
    latent: int = 12
    steps: int = 150
    lr: float = 3e-3
    prefetch: int = 2


@dataclass
class StepOutput:
    step: int
    metrics: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class AsyncPlugin(Protocol):
    async def after_step(self, out: StepOutput) -> None: ...
    async def finish(self) -> None: ...


class SetAutoencoder(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.points = s.points
        self.lift = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, s.latent))
        self.drop = nn.Sequential(nn.Linear(s.latent, 48), nn.ReLU(), nn.Linear(48, 3 * s.points))

    def forward(self, cloud: Tensor) -> Tensor:
        code = self.lift(cloud).amax(dim=1)
        return self.drop(code).view(-1, self.points, 3)


def chamfer(a: Tensor, b: Tensor) -> Tensor:
    d = (a.unsqueeze(2) - b.unsqueeze(1)).pow(2).sum(-1)
    return d.amin(2).mean() + d.amin(1).mean()


class Reporter:
    """Publishes the metrics of a step without making the trainer wait for the sink."""

    def __init__(self, every: int = 40):
        self.every = every
        self._inflight: list[asyncio.Task[StepOutput]] = []

    async def after_step(self, out: StepOutput) -> None:
        self._inflight.append(asyncio.create_task(self._publish(out)))  # <- culprit

    async def _publish(self, out: StepOutput) -> StepOutput:
        await asyncio.sleep(0)
        if out.step % self.every == 0:
            print(f"[{out.step:03d}] chamfer={out.metrics['chamfer'].item():.4f} lr={out.metrics['lr']}")
        return out  # <- culprit

    async def finish(self) -> None:
        done = await asyncio.gather(*self._inflight)
        tail = [o.metrics["chamfer"].item() for o in done[-20:]]
        print(f"published {len(done)} reports, mean of last 20: {sum(tail) / len(tail):.4f}")


class GradientNorm:
    def __init__(self, model: nn.Module):
        self.model = model
        self.largest = 0.0

    async def after_step(self, out: StepOutput) -> None:
        total = sum(p.grad.pow(2).sum().item() for p in self.model.parameters())
        self.largest = max(self.largest, total ** 0.5)

    async def finish(self) -> None:
        print(f"largest gradient norm {self.largest:.3f}")


async def produce(s: Settings, queue: asyncio.Queue) -> None:
    g = torch.Generator().manual_seed(4)
    for _ in range(s.steps):
        axes = 0.5 + torch.rand(s.clouds, 1, 3, generator=g)
        pts = torch.randn(s.clouds, s.points, 3, generator=g)
        await queue.put(axes * pts / pts.norm(dim=-1, keepdim=True))
    await queue.put(None)


async def stream(queue: asyncio.Queue) -> AsyncIterator[Tensor]:
    while (cloud := await queue.get()) is not None:
        yield cloud


class AsyncTrainer:
    def __init__(self, s: Settings):
        self.s = s
        self.model = SetAutoencoder(s)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=s.lr)
        self.plugins: list[AsyncPlugin] = [GradientNorm(self.model), Reporter()]

    def train_step(self, step: int, cloud: Tensor) -> StepOutput:
        loss = chamfer(self.model(cloud), cloud)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return StepOutput(step, {"chamfer": loss, "lr": self.opt.param_groups[0]["lr"]})  # <- culprit

    async def fit(self) -> None:
        queue: asyncio.Queue = asyncio.Queue(maxsize=self.s.prefetch)
        producer = asyncio.create_task(produce(self.s, queue))
        step = 0
        async for cloud in stream(queue):
            out = self.train_step(step, cloud)
            for plugin in self.plugins:
                await plugin.after_step(out)
            step += 1
        await producer
        for plugin in self.plugins:
            await plugin.finish()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    asyncio.run(AsyncTrainer(Settings()).fit())
