# gradwatch-corpus: kind=graph-chain
# holder: self._shadow | model._shadow | state.model._shadow | net._shadow | self._shadow[name] | self.model._shadow
# first-bad: 1
# notice: 5
"""Land-cover segmentation on synthetic 4-band tiles with a consistency term against averaged weights."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Callable, ClassVar, Generic, Iterator, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call


class Event(Enum):
    FIT_STARTED = auto()
    STEP_COMPLETED = auto()
    FIT_COMPLETED = auto()


@dataclass
class Config:
    steps: int = 110
    batch: int = 6
    tile: int = 12
    bands: int = 4
    classes: int = 5
    lr: float = 2e-3
    decay: float = 0.95
    consistency: float = 0.5
    plugins: tuple[str, ...] = ("weight_average", "progress")


class ShadowedMixin:
    """Keeps a second, slowly moving set of weights beside the module's own."""

    shadow_decay: float = 0.95

    def init_shadow(self) -> None:
        self._shadow: dict[str, Tensor] = {n: p.detach().clone() for n, p in self.named_parameters()}

    def refresh_shadow(self) -> None:
        for name, param in self.named_parameters():
            self._shadow[name] = torch.lerp(self._shadow[name], param, 1.0 - self.shadow_decay)  # <- culprit

    def shadow_forward(self, x: Tensor) -> Tensor:
        return functional_call(self, self._shadow, (x,))


class TileNet(ShadowedMixin, nn.Module):
    def __init__(self, cfg: Config) -> None:
        super().__init__()
        self.shadow_decay = cfg.decay
        self.stem = nn.Conv2d(cfg.bands, 12, 3, padding=1)
        self.norm = nn.GroupNorm(3, 12)
        self.mid = nn.Conv2d(12, 12, 3, padding=1, groups=3)
        self.head = nn.Conv2d(12, cfg.classes, 1)
        self.init_shadow()

    def forward(self, x: Tensor) -> Tensor:
        h = F.gelu(self.norm(self.stem(x)))
        return self.head(F.gelu(self.mid(h)) + h)


M = TypeVar("M", bound=nn.Module)


@dataclass
class TrainState(Generic[M]):
    model: M
    optimizer: torch.optim.Optimizer
    step: int = 0
    scalars: dict[str, float] = field(default_factory=dict)


class Plugin:
    registry: ClassVar[dict[str, type["Plugin"]]] = {}

    def __init_subclass__(cls, *, key: str, **kw) -> None:
        super().__init_subclass__(**kw)
        Plugin.registry[key] = cls

    def attach(self, engine: "Engine") -> None:
        raise NotImplementedError


class WeightAverage(Plugin, key="weight_average"):
    def attach(self, engine: "Engine") -> None:
        engine.on(Event.STEP_COMPLETED, lambda state: state.model.refresh_shadow())


class Progress(Plugin, key="progress"):
    def attach(self, engine: "Engine") -> None:
        engine.on(Event.STEP_COMPLETED, self.maybe_print)

    def maybe_print(self, state: TrainState[TileNet]) -> None:
        if state.step % 25 == 0:
            print(f"{state.step:4d} " + " ".join(f"{k}={v:.4f}" for k, v in state.scalars.items()))


class Engine:
    def __init__(self, cfg: Config, state: TrainState[TileNet]) -> None:
        self.cfg, self.state = cfg, state
        self._handlers: dict[Event, list[Callable[[TrainState[TileNet]], None]]] = defaultdict(list)
        for key in cfg.plugins:
            Plugin.registry[key]().attach(self)

    def on(self, event: Event, fn: Callable[[TrainState[TileNet]], None]) -> None:
        self._handlers[event].append(fn)

    def fire(self, event: Event) -> None:
        for fn in self._handlers[event]:
            fn(self.state)

    def objective(self, tiles: Tensor, labels: Tensor) -> Tensor:
        model = self.state.model
        noisy = tiles + 0.1 * torch.randn_like(tiles)
        logits = model(noisy)
        supervised = F.cross_entropy(logits, labels)
        target = model.shadow_forward(tiles).softmax(1)
        consistency = F.mse_loss(logits.softmax(1), target)
        self.state.scalars.update(ce=supervised.item(), cons=consistency.item())
        return supervised + self.cfg.consistency * consistency

    def run(self, batches: Iterator[tuple[Tensor, Tensor]]) -> None:
        self.fire(Event.FIT_STARTED)
        for tiles, labels in batches:
            self.state.optimizer.zero_grad(set_to_none=True)
            self.objective(tiles, labels).backward()
            self.state.optimizer.step()
            self.state.step += 1
            self.fire(Event.STEP_COMPLETED)
        self.fire(Event.FIT_COMPLETED)


def synthetic_tiles(cfg: Config) -> Iterator[tuple[Tensor, Tensor]]:
    gen = torch.Generator().manual_seed(11)
    signatures = torch.randn(cfg.classes, cfg.bands, generator=gen)
    for _ in range(cfg.steps):
        coarse = torch.randint(cfg.classes, (cfg.batch, cfg.tile // 4, cfg.tile // 4), generator=gen)
        labels = coarse.repeat_interleave(4, 1).repeat_interleave(4, 2)
        tiles = signatures[labels].permute(0, 3, 1, 2) + 0.3 * torch.randn(
            cfg.batch, cfg.bands, cfg.tile, cfg.tile, generator=gen)
        yield tiles, labels


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    cfg = Config()
    net = TileNet(cfg)
    Engine(cfg, TrainState(net, torch.optim.AdamW(net.parameters(), lr=cfg.lr))).run(synthetic_tiles(cfg))
