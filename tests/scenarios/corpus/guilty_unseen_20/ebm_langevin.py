# gradwatch-corpus: kind=graph-held
# holder: self._queue | sink._queue | trainer._sink._queue | self._sink._queue
# first-bad: 1
"""Energy-based density model of a two-dimensional spiral, trained with persistent contrastive divergence."""
from __future__ import annotations

import math
import queue
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn


class Scalar(NamedTuple):
    step: int
    name: str
    value: Tensor


class ScalarSink(Protocol):
    def emit(self, step: int, scalars: Mapping[str, Tensor]) -> None: ...

    def close(self) -> None: ...


class QueuedSink:
    """Accepts scalars at any rate; they are written out when the sink is closed."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._queue: queue.SimpleQueue[Scalar] = queue.SimpleQueue()

    def emit(self, step: int, scalars: Mapping[str, Tensor]) -> None:
        for name, value in scalars.items():
            self._queue.put(Scalar(step, f"{self._prefix}/{name}", value))  # <- culprit

    def close(self) -> None:
        sums: dict[str, tuple[float, int]] = {}
        while not self._queue.empty():
            item = self._queue.get_nowait()
            s, n = sums.get(item.name, (0.0, 0))
            sums[item.name] = (s + item.value.item(), n + 1)
        for name, (s, n) in sorted(sums.items()):
            print(f"{name}: mean {s / n:+.4f} over {n} steps")


@dataclass(frozen=True)
class Config:
    steps: int = 260
    batch: int = 128
    chain_length: int = 5
    step_size: float = 0.02
    noise: float = 0.05
    alpha: float = 0.05
    lr: float = 1e-3
    pool: int = 1024
    seed: int = 41


class Energy(nn.Module):
    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x).squeeze(-1)


class ReplayPool:
    def __init__(self, size: int) -> None:
        self._samples = torch.rand(size, 2) * 4 - 2

    def draw(self, n: int) -> tuple[Tensor, Tensor]:
        idx = torch.randperm(len(self._samples))[:n]
        x = self._samples[idx]
        fresh = torch.rand(n) < 0.05
        x[fresh] = torch.rand(int(fresh.sum()), 2) * 4 - 2
        return idx, x

    def put_back(self, idx: Tensor, x: Tensor) -> None:
        self._samples[idx] = x


def spiral(n: int) -> Iterator[Tensor]:
    while True:
        t = torch.rand(n) * 3 * math.pi
        r = t / (3 * math.pi) * 1.8
        yield torch.stack([r * t.cos(), r * t.sin()], 1) + 0.04 * torch.randn(n, 2)


class Trainer:
    def __init__(self, config: Config, sink: ScalarSink) -> None:
        self._cfg = config
        self._sink = sink
        self._energy = Energy()
        self._pool = ReplayPool(config.pool)
        self._opt = torch.optim.Adam(self._energy.parameters(), lr=config.lr)

    def _langevin(self, x: Tensor) -> Tensor:
        self._energy.requires_grad_(False)
        for _ in range(self._cfg.chain_length):
            x = x.detach().requires_grad_()
            (g,) = torch.autograd.grad(self._energy(x).sum(), x)
            x = x.detach() - self._cfg.step_size * g + self._cfg.noise * torch.randn_like(x)
        self._energy.requires_grad_(True)
        return x.clamp(-3, 3)

    def step(self, index: int, data: Tensor) -> float:
        idx, init = self._pool.draw(len(data))
        fake = self._langevin(init)
        self._pool.put_back(idx, fake)
        e_data, e_fake = self._energy(data), self._energy(fake)
        gap = e_data.mean() - e_fake.mean()
        reg = self._cfg.alpha * (e_data.square().mean() + e_fake.square().mean())
        loss = gap + reg
        self._opt.zero_grad(set_to_none=True)
        loss.backward()
        self._opt.step()
        self._sink.emit(index, {"gap": gap, "reg": reg})  # <- culprit
        return loss.item()


def main(config: Config = Config()) -> None:
    torch.manual_seed(config.seed)
    sink = QueuedSink("ebm")
    trainer = Trainer(config, sink)
    for index, data in zip(range(config.steps), spiral(config.batch)):
        value = trainer.step(index, data)
        if index % 65 == 64:
            print(f"step {index + 1}: loss {value:+.4f}")
    sink.close()


if __name__ == "__main__":
    main()
