# gradwatch-corpus: kind=none
"""Wafer map yield classes; layer activity is sampled every so often through temporary hooks."""
from __future__ import annotations

from collections import defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass
class FabConfig:
    die: int = 18
    classes: int = 5
    batch: int = 24
    lots: int = 120
    inspect_every: int = 8
    inspect_keep: int = 4
    lr: float = 2e-3


class WaferNet(nn.Module):
    def __init__(self, cfg: FabConfig) -> None:
        super().__init__()
        self.radial = nn.Conv2d(1, 8, 5, padding=2)
        self.local = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.squeeze = nn.Linear(16, 4)
        self.excite = nn.Linear(4, 16)
        self.verdict = nn.Linear(16, cfg.classes)

    def forward(self, wafer: Tensor) -> Tensor:
        x = torch.relu(self.radial(wafer))
        x = torch.relu(self.local(x))
        gate = torch.sigmoid(self.excite(torch.relu(self.squeeze(x.mean(dim=(2, 3))))))
        x = x * gate[:, :, None, None]
        return self.verdict(x.amax(dim=(2, 3)))


class ActivityMonitor:
    def __init__(self, layers: tuple[str, ...], keep: int) -> None:
        self.layers = layers
        self.recent: dict[str, deque[Tensor]] = defaultdict(lambda: deque(maxlen=keep))
        self.grad_scale: dict[str, float] = {}

    @contextmanager
    def attached(self, net: nn.Module) -> Iterator[None]:
        handles = []
        for name in self.layers:
            layer = net.get_submodule(name)

            def seen(_m, _i, out: Tensor, name: str = name) -> None:
                self.recent[name].append(out.detach().float())
                out.register_hook(lambda g, name=name: self._note_grad(name, g))

            handles.append(layer.register_forward_hook(seen))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def _note_grad(self, name: str, g: Tensor) -> None:
        self.grad_scale[name] = g.abs().mean().item()

    def silent_share(self, name: str) -> float:
        maps = torch.cat(list(self.recent[name]))
        return (maps <= 0).float().mean().item()


class LotSource:
    def __init__(self, cfg: FabConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, cfg.die)
        r = (axis[:, None] ** 2 + axis[None, :] ** 2).sqrt()
        self.signature = torch.stack([torch.cos((k + 1) * 2.2 * r) for k in range(cfg.classes)])

    def lot(self) -> tuple[Tensor, Tensor]:
        y = torch.randint(self.cfg.classes, (self.cfg.batch,), generator=self.gen)
        wafer = self.signature[y] + 0.8 * torch.randn(self.cfg.batch, self.cfg.die, self.cfg.die, generator=self.gen)
        return wafer.unsqueeze(1), y


@dataclass
class FabTrainer:
    cfg: FabConfig
    net: WaferNet
    monitor: ActivityMonitor

    def __post_init__(self) -> None:
        self.opt = torch.optim.Adam(self.net.parameters(), lr=self.cfg.lr)

    def update(self, wafer: Tensor, y: Tensor) -> float:
        loss = nn.functional.cross_entropy(self.net(wafer), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self, source: LotSource) -> None:
        for n in range(self.cfg.lots):
            wafer, y = source.lot()
            if n % self.cfg.inspect_every == 0:
                with self.monitor.attached(self.net):
                    loss = self.update(wafer, y)
                silent = {name: round(self.monitor.silent_share(name), 3) for name in self.monitor.layers}
                slopes = {name: f"{g:.2e}" for name, g in self.monitor.grad_scale.items()}
                print(f"lot {n}: {loss:.4f} silent {silent} slope {slopes}")
            else:
                self.update(wafer, y)


if __name__ == "__main__":
    torch.manual_seed(1400)
    cfg = FabConfig()
    monitor = ActivityMonitor(("radial", "local", "squeeze"), keep=cfg.inspect_keep)
    FabTrainer(cfg, WaferNet(cfg), monitor).run(LotSource(cfg, seed=1401))
