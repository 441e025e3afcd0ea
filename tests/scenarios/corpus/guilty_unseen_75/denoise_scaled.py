# gradwatch-corpus: kind=second-backward
# holder: state.loss | loss | self.state.loss
# first-bad: 36
# notice: 0
"""Mask-based speech enhancement with dynamic loss scaling for an export to half precision."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Callable, Iterator, Optional, Protocol

import torch
from torch import Tensor, nn


@dataclass
class EnhanceConfig:
    frames: int = 40
    bins: int = 17
    hidden: int = 24
    batch: int = 8
    steps: int = 150
    lr: float = 2e-3


@dataclass
class TrainState:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    step: int = 0
    loss: Optional[Tensor] = None
    log: dict[str, float] = field(default_factory=dict)


class BackwardStrategy(Protocol):
    def __call__(self, state: TrainState) -> bool: ...


STRATEGIES: dict[str, Callable[[], BackwardStrategy]] = {}


def strategy(name: str):
    def add(cls):
        STRATEGIES[name] = cls
        return cls
    return add


@strategy("plain")
class PlainBackward:
    def __call__(self, state: TrainState) -> bool:
        state.optimizer.zero_grad()
        state.loss.backward()
        return True


@strategy("scaled")
class ScaledBackward:
    """Scale up while gradients fit into half precision, back off as soon as they do not."""

    ceiling = 65504.0
    backoff = 1 / 8
    patience = 3

    def __init__(self) -> None:
        self.scale = 2.0 ** 12
        self.clean = 0

    def _fits(self, params: list[Tensor]) -> bool:
        peak = max(p.grad.abs().max().item() for p in params)
        return math.isfinite(peak) and peak < self.ceiling

    def __call__(self, state: TrainState) -> bool:
        params = list(state.model.parameters())
        for _ in range(4):
            state.optimizer.zero_grad()
            (state.loss * self.scale).backward()  # <- culprit
            if self._fits(params):
                for p in params:
                    p.grad.div_(self.scale)
                self._grow()
                state.log["scale"] = self.scale
                return True
            self.scale *= self.backoff
            self.clean = 0
        return False

    def _grow(self) -> None:
        self.clean += 1
        if self.clean >= self.patience:
            self.scale, self.clean = self.scale * 2.0, 0


class MaskNet(nn.Module):
    def __init__(self, cfg: EnhanceConfig) -> None:
        super().__init__()
        self.rnn = nn.GRU(cfg.bins, cfg.hidden, batch_first=True)
        self.mask = nn.Linear(cfg.hidden, cfg.bins)

    def forward(self, noisy: Tensor) -> Tensor:
        h, _ = self.rnn(torch.log1p(noisy))
        return noisy * torch.sigmoid(self.mask(h))


def utterances(cfg: EnhanceConfig) -> Iterator[tuple[Tensor, Tensor]]:
    g = torch.Generator().manual_seed(6)
    t = torch.arange(cfg.frames).view(1, -1, 1) / cfg.frames
    k = torch.arange(cfg.bins).view(1, 1, -1)
    for _ in range(cfg.steps):
        pitch = 2 + 6 * torch.rand(cfg.batch, 1, 1, generator=g)
        clean = torch.exp(-0.5 * (k - pitch - 2 * torch.sin(6.28 * t)).pow(2))
        noise = 0.4 * torch.rand(cfg.batch, cfg.frames, cfg.bins, generator=g)
        yield clean + noise, clean


class EnhancementLoop:
    def __init__(self, cfg: EnhanceConfig, backward: str = "scaled") -> None:
        self.cfg = cfg
        model = MaskNet(cfg)
        self.state = TrainState(model, torch.optim.Adam(model.parameters(), lr=cfg.lr))
        self.backward = STRATEGIES[backward]()
        self.skipped = 0

    def evaluate_loss(self, noisy: Tensor, clean: Tensor) -> Tensor:
        estimate = self.state.model(noisy)
        magnitude = (estimate - clean).abs().mean()
        compressed = (estimate.clamp(min=1e-6).pow(0.3) - clean.clamp(min=1e-6).pow(0.3)).pow(2).mean()
        return magnitude + compressed

    def run(self) -> None:
        for noisy, clean in utterances(self.cfg):
            self.state.loss = self.evaluate_loss(noisy, clean)
            if self.backward(self.state):
                self.state.optimizer.step()
            else:
                self.skipped += 1
            self.state.log["loss"] = self.state.loss.item()
            self.state.step += 1
            if self.state.step % 10 == 0:
                print(self.state.step, self.state.log)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(6)
    EnhancementLoop(EnhanceConfig()).run()
