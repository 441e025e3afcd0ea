# gradwatch-corpus: kind=graph-held
# holder: self.taps | self.taps[name] | probe.taps
# first-bad: 1
"""Wheel slip regression from motor currents, with a probe on the hidden layers."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle


@dataclass
class SlipConfig:
    channels: int = 6
    window: int = 100
    batch: int = 32
    steps: int = 140
    lr: float = 1e-3
    probe_every: int = 35


@dataclass
class ActivationProbe:
    """Records what comes out of selected layers to look for dead or saturated units."""

    taps: dict[str, list[Tensor]] = field(default_factory=dict)
    handles: list[RemovableHandle] = field(default_factory=list)

    def attach(self, model: nn.Module, *kinds: type[nn.Module]) -> None:
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self.taps[name] = []
                self.handles.append(module.register_forward_hook(self._recorder(name)))

    def _recorder(self, name: str) -> Callable[[nn.Module, tuple[Tensor, ...], Tensor], None]:
        def hook(module: nn.Module, args: tuple[Tensor, ...], output: Tensor) -> None:
            rate = output.gt(0).float().mean(dim=0)
            level = output.abs().mean(dim=0)
            self.taps[name].append(level * rate)  # <- culprit

        return hook

    def report(self, last: int) -> str:
        parts = []
        for name, seen in self.taps.items():
            if not seen:
                continue
            recent = torch.stack([s.detach() for s in seen[-last:]])
            dead = (recent.amax(dim=0) < 1e-4).float().mean().item()
            parts.append(f"{name}: level {recent.mean().item():.3f} dead {100 * dead:.0f}%")
        return " | ".join(parts)


class SlipNet(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.front = nn.Sequential(nn.Conv1d(channels, 32, 7, stride=2), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv1d(32, 32, 5, stride=2), nn.ReLU())
        self.head = nn.Linear(32, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.mid(self.front(x)).mean(dim=-1))


def simulate(cfg: SlipConfig, gen: torch.Generator) -> tuple[Tensor, Tensor]:
    slip = torch.rand(cfg.batch, 4, generator=gen)
    t = torch.linspace(0, 1, cfg.window)
    mix = torch.linspace(0.2, 1.0, 4 * cfg.channels).view(4, cfg.channels)
    ripple = torch.sin(2 * torch.pi * (5 + 10 * slip[:, :, None]) * t)
    currents = torch.einsum("bwt,wc->bct", ripple * (1 - slip[:, :, None]), mix)
    return currents + 0.1 * torch.randn(currents.shape, generator=gen), slip


def main() -> None:
    torch.manual_seed(77)
    cfg = SlipConfig()
    gen = torch.Generator().manual_seed(78)
    net = SlipNet(cfg.channels)
    probe = ActivationProbe()
    probe.attach(net, nn.ReLU)
    optim = torch.optim.RMSprop(net.parameters(), lr=cfg.lr)

    for step in range(1, cfg.steps + 1):
        currents, slip = simulate(cfg, gen)
        loss = nn.functional.mse_loss(net(currents), slip)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % cfg.probe_every == 0:
            print(f"{step:4d}  mse {loss.item():.4f}  {probe.report(cfg.probe_every)}")


if __name__ == "__main__":
    main()
