# gradwatch-corpus: kind=inplace-modified
# holder: net.enter.weight | net.advect.weight | net.leave.weight | state.net.enter.weight | state.net.advect.weight | state.net.leave.weight | s.net.enter.weight | s.net.advect.weight | s.net.leave.weight | self.net.enter.weight | self.net.advect.weight | self.net.leave.weight | self.state.net.enter.weight | self.state.net.advect.weight | self.state.net.leave.weight | param | self.net.parameters() | net.parameters() | s.loss | state.loss | self.state.loss
# first-bad: 14
# notice: 0
"""Precipitation nowcasting: the next radar frame from the last four, scored now and then with averaged weights."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Callable, Iterator, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class NowcastConfig:
    side: int = 16
    history: int = 4
    width: int = 10
    batch: int = 4
    steps: int = 120
    lr: float = 4e-3
    score_every: int = 15


@dataclass
class TrainState:
    net: nn.Module
    optimizer: torch.optim.Optimizer
    frames: Optional[Tensor] = None
    target: Optional[Tensor] = None
    loss: Optional[Tensor] = None
    step: int = 0
    scores: list[tuple[int, float]] = field(default_factory=list)


class RadarNet(nn.Module):
    def __init__(self, cfg: NowcastConfig) -> None:
        super().__init__()
        self.enter = nn.Conv2d(cfg.history, cfg.width, 3, padding=1)
        self.advect = nn.Conv2d(cfg.width, cfg.width, 5, padding=2)
        self.leave = nn.Conv2d(cfg.width, 1, 1)

    def forward(self, frames: Tensor) -> Tensor:
        h = F.silu(self.enter(frames))
        h = h + F.silu(self.advect(h))
        return frames[:, -1:] + self.leave(h)


class WeightAverage:
    def __init__(self, net: nn.Module, decay: float = 0.9) -> None:
        self.net, self.decay = net, decay
        self.mean = [p.detach().clone() for p in net.parameters()]

    @torch.no_grad()
    def update(self) -> None:
        for m, p in zip(self.mean, self.net.parameters()):
            m.lerp_(p, 1.0 - self.decay)

    @contextlib.contextmanager
    def applied(self) -> Iterator[nn.Module]:
        """The network with the averaged weights in place of its own."""
        own = [p.detach().clone() for p in self.net.parameters()]
        self._load(self.mean)
        try:
            yield self.net
        finally:
            self._load(own)

    @torch.no_grad()
    def _load(self, values: list[Tensor]) -> None:
        for param, value in zip(self.net.parameters(), values):
            param.copy_(value)  # <- culprit


class Callback:
    def on_loss(self, state: TrainState) -> None: ...
    def on_step(self, state: TrainState) -> None: ...


class AveragedScore(Callback):
    """Tracks how the averaged network does on the batch at hand."""

    def __init__(self, average: WeightAverage, every: int) -> None:
        self.average, self.every = average, every

    def on_loss(self, state: TrainState) -> None:
        if (state.step + 1) % self.every:
            return
        with self.average.applied() as net, torch.no_grad():  # <- culprit
            score = F.l1_loss(net(state.frames), state.target).item()
        state.scores.append((state.step, score))

    def on_step(self, state: TrainState) -> None:
        self.average.update()


class Console(Callback):
    def on_step(self, state: TrainState) -> None:
        if state.step % 5 == 0:
            print(f"step {state.step} loss {state.loss.item():.4f} scores {state.scores[-1:]}")


def radar_batches(cfg: NowcastConfig) -> Iterator[tuple[Tensor, Tensor]]:
    g = torch.Generator().manual_seed(3)
    for _ in range(cfg.steps):
        field0 = F.avg_pool2d(torch.rand(cfg.batch, 1, cfg.side, cfg.side, generator=g), 3, 1, 1)
        shift = int(torch.randint(1, 3, (), generator=g))
        seq = torch.cat([field0.roll(shift * t, dims=-1) for t in range(cfg.history + 1)], dim=1)
        yield seq[:, :-1], seq[:, -1:]


class Engine:
    def __init__(self, cfg: NowcastConfig, state: TrainState, criterion: Callable[[Tensor, Tensor], Tensor]) -> None:
        self.cfg, self.state, self.criterion = cfg, state, criterion
        self.callbacks: list[Callback] = [AveragedScore(WeightAverage(state.net), cfg.score_every), Console()]

    def run(self) -> None:
        s = self.state
        for s.step, (s.frames, s.target) in enumerate(radar_batches(self.cfg)):
            s.loss = self.criterion(s.net(s.frames), s.target)
            for cb in self.callbacks:
                cb.on_loss(s)  # <- culprit
            s.optimizer.zero_grad()
            s.loss.backward()
            s.optimizer.step()
            for cb in self.callbacks:
                cb.on_step(s)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(3)
    cfg = NowcastConfig()
    net = RadarNet(cfg)
    Engine(cfg, TrainState(net, torch.optim.Adam(net.parameters(), lr=cfg.lr)), F.smooth_l1_loss).run()
