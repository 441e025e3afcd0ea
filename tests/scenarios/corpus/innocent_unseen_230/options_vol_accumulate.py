# gradwatch-corpus: kind=none
"""Implied-vol surface fit: gradient accumulation, activation checkpointing, top-k snapshots."""
from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Iterator, Protocol

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


@dataclass
class FitConfig:
    micro_batch: int = 48
    accumulate: int = 4
    micro_steps: int = 200
    width: int = 64
    depth: int = 3
    lr: float = 2e-3


class Callback(Protocol):
    def after_update(self, update: int, loss: float, model: nn.Module) -> None: ...


class ResidualTanh(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.a = nn.Linear(width, width)
        self.b = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.b(torch.tanh(self.a(x)))


class VolSurface(nn.Module):
    def __init__(self, cfg: FitConfig) -> None:
        super().__init__()
        self.entry = nn.Linear(2, cfg.width)
        self.blocks = nn.ModuleList(ResidualTanh(cfg.width) for _ in range(cfg.depth))
        self.exit = nn.Linear(cfg.width, 1)

    def forward(self, k: Tensor, t: Tensor) -> Tensor:
        h = self.entry(torch.cat([k, t], dim=-1))
        for block in self.blocks:
            h = checkpoint(block, h, use_reentrant=False)
        return nn.functional.softplus(self.exit(h))


def calendar_penalty(model: nn.Module, k: Tensor, t: Tensor) -> Tensor:
    t = t.clone().requires_grad_()
    total_variance = model(k, t).square() * t
    (slope,) = torch.autograd.grad(total_variance.sum(), t, create_graph=True)
    return torch.relu(-slope).mean()


@dataclass(order=True)
class Snapshot:
    score: float
    update: int
    weights: dict[str, Tensor] = field(compare=False)


class TopK:
    def __init__(self, k: int) -> None:
        self.k = k
        self.heap: list[Snapshot] = []

    def after_update(self, update: int, loss: float, model: nn.Module) -> None:
        weights = {name: value.detach().clone() for name, value in model.state_dict().items()}
        entry = Snapshot(-loss, update, weights)
        push = heapq.heappush if len(self.heap) < self.k else heapq.heappushpop
        push(self.heap, entry)

    def average(self) -> dict[str, Tensor]:
        names = self.heap[0].weights
        return {n: torch.stack([s.weights[n] for s in self.heap]).mean(0) for n in names}


class Console:
    def __init__(self, every: int) -> None:
        self.every = every

    def after_update(self, update: int, loss: float, model: nn.Module) -> None:
        if update % self.every == 0:
            print(f"update {update} loss {loss:.5f}")


def quotes(cfg: FitConfig) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    for _ in range(cfg.micro_steps):
        k = torch.randn(cfg.micro_batch, 1) * 0.3
        t = 0.1 + 2 * torch.rand(cfg.micro_batch, 1)
        smile = 0.2 + 0.15 * k.square() / t.sqrt() - 0.05 * k
        yield k, t, smile + 0.003 * torch.randn_like(smile)


def fit(cfg: FitConfig, callbacks: list[Any]) -> VolSurface:
    model = VolSurface(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    penalty = partial(calendar_penalty, model)
    running = torch.zeros(())
    update = 0
    optimizer.zero_grad()
    for micro, (k, t, vol) in enumerate(quotes(cfg), start=1):
        loss = (model(k, t) - vol).square().mean() + 0.1 * penalty(k, t)
        (loss / cfg.accumulate).backward()
        running += loss.detach() / cfg.accumulate
        if micro % cfg.accumulate:
            continue
        optimizer.step()
        optimizer.zero_grad()
        for callback in callbacks:
            callback.after_update(update, running.item(), model)
        running.zero_()
        update += 1
    return model


if __name__ == "__main__":
    torch.manual_seed(88)
    best = TopK(3)
    surface = fit(FitConfig(), [best, Console(every=10)])
    surface.load_state_dict(best.average())
    print("kept", sorted(s.update for s in best.heap))
