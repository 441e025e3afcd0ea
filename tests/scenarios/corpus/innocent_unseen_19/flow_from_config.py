# gradwatch-corpus: kind=none
"""RealNVP on two moons, built from dataclasses (no Hydra at our place). Averages the weights
twice: EMA during the run, SWA over its last third."""
from __future__ import annotations

import copy
import math
from collections import deque
from dataclasses import asdict, dataclass, field
from typing import Callable, Iterator

import torch
from torch import Tensor, nn


@dataclass
class FlowCfg:
    layers: int = 4
    width: int = 32
    dim: int = 2


@dataclass
class AvgCfg:
    ema_decay: float = 0.99
    swa_from: float = 0.66
    swa_every: int = 5


@dataclass
class RunCfg:
    seed: int = 3
    steps: int = 300
    batch: int = 128
    lr: float = 2e-3
    window: int = 25
    flow: FlowCfg = field(default_factory=FlowCfg)
    avg: AvgCfg = field(default_factory=AvgCfg)


class Coupling(nn.Module):
    def __init__(self, dim: int, width: int, flip: bool):
        super().__init__()
        mask = torch.arange(dim) % 2
        self.register_buffer("mask", (1 - mask if flip else mask).float())
        self.net = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, 2 * dim))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        s, t = self.net(x * self.mask).chunk(2, dim=-1)
        s = torch.tanh(s) * (1 - self.mask)
        t = t * (1 - self.mask)
        return x * torch.exp(s) + t, s.sum(-1)


class Flow(nn.Module):
    def __init__(self, cfg: FlowCfg):
        super().__init__()
        self.steps = nn.ModuleList([Coupling(cfg.dim, cfg.width, bool(i % 2)) for i in range(cfg.layers)])

    def log_prob(self, x: Tensor) -> Tensor:
        logdet = torch.zeros(len(x))
        for step in self.steps:
            x, ld = step(x)
            logdet = logdet + ld
        return -0.5 * (x.square() + math.log(2 * math.pi)).sum(-1) + logdet


class Ema:
    def __init__(self, model: nn.Module, decay: float):
        self.decay, self.source = decay, model
        self.shadow = [p.detach().clone() for p in model.parameters()]

    def update(self) -> None:
        with torch.no_grad():
            self.shadow = [self.decay * s + (1 - self.decay) * p for s, p in zip(self.shadow, self.source.parameters())]

    def materialise(self) -> nn.Module:
        twin = copy.deepcopy(self.source)
        for p, s in zip(twin.parameters(), self.shadow):
            p.data.copy_(s)
        return twin


class Window:
    """Mean, and slope, of the last n values."""

    def __init__(self, n: int):
        self.values: deque[Tensor] = deque(maxlen=n)

    def push(self, loss: Tensor) -> None:
        self.values.append(loss.detach())

    def mean(self) -> float:
        return torch.stack(list(self.values)).mean().item()

    def slope(self) -> float:
        v = torch.stack(list(self.values))
        t = torch.arange(len(v)).float() - (len(v) - 1) / 2
        return ((t * v).sum() / t.square().sum().clamp(min=1)).item()


def moons(batch: int, seed: int) -> Iterator[Tensor]:
    g = torch.Generator().manual_seed(seed)
    while True:
        a = math.pi * torch.rand(batch, generator=g)
        side = torch.randint(2, (batch,), generator=g).float()
        x = torch.stack([torch.cos(a) * (1 - 2 * side) + side, torch.sin(a) * (1 - 2 * side) + 0.5 * side], 1)
        yield x + 0.08 * torch.randn(batch, 2, generator=g)


def build(cfg: RunCfg) -> tuple[Flow, Callable[[Tensor], Tensor], dict[str, object]]:
    torch.manual_seed(cfg.seed)
    flow = Flow(cfg.flow)
    opt = torch.optim.Adam(flow.parameters(), lr=cfg.lr)
    aux = {"ema": Ema(flow, cfg.avg.ema_decay), "swa": torch.optim.swa_utils.AveragedModel(flow),
           "window": Window(cfg.window)}

    def step(x: Tensor) -> Tensor:
        nll = -flow.log_prob(x).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        return nll

    return flow, step, aux


def train(cfg: RunCfg) -> None:
    print({k: v for k, v in asdict(cfg).items() if not isinstance(v, dict)})
    flow, step, aux = build(cfg)
    for i, x in zip(range(cfg.steps), moons(cfg.batch, cfg.seed + 1)):
        last = step(x)
        aux["window"].push(last)
        aux["ema"].update()
        if i >= cfg.avg.swa_from * cfg.steps and i % cfg.avg.swa_every == 0:
            aux["swa"].update_parameters(flow)
        if (i + 1) % 75 == 0:
            print(f"{i + 1:4d} nll {aux['window'].mean():.3f} slope {aux['window'].slope():+.4f}")
    test = next(moons(2000, 99))
    with torch.no_grad():
        for name, m in (("raw", flow), ("ema", aux["ema"].materialise()), ("swa", aux["swa"].module)):
            print(name, "test nll", round(-m.log_prob(test).mean().item(), 3))


if __name__ == "__main__":
    train(RunCfg())
