# gradwatch-corpus: kind=second-backward
# holder: self.previous | temporal.previous
# first-bad: 12
"""Frame deblurring with a temporal-consistency term that is ramped in after warm-up."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Optional, Protocol

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class LossTerm(Protocol):
    def __call__(self, step: int, output: Tensor, target: Tensor) -> Optional[Tensor]: ...


@dataclass
class Charbonnier:
    eps: float = 1e-3

    def __call__(self, step: int, output: Tensor, target: Tensor) -> Optional[Tensor]:
        return torch.sqrt((output - target) ** 2 + self.eps**2).mean()


@dataclass
class TemporalConsistency:
    start: int
    ramp: int
    weight: float
    previous: Optional[Tensor] = None

    def __call__(self, step: int, output: Tensor, target: Tensor) -> Optional[Tensor]:
        term = None
        if self.previous is not None and step >= self.start:
            scale = self.weight * min(1.0, (step - self.start + 1) / self.ramp)
            warped = torch.roll(self.previous, shifts=1, dims=-1)
            term = scale * F.l1_loss(output, warped)
        self.previous = output  # <- culprit
        return term


class Deblur(nn.Module):
    def __init__(self, width: int = 12) -> None:
        super().__init__()
        self.enc = nn.Conv2d(1, width, 5, padding=2)
        self.mid = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(2)])
        self.dec = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        h = F.leaky_relu(self.enc(x), 0.1)
        for conv in self.mid:
            h = h + F.leaky_relu(conv(h), 0.1)
        return x + self.dec(h)


def clip(frames: int, batch: int, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    kernel = torch.ones(1, 1, 1, 5) / 5
    scene = F.interpolate(torch.rand(batch, 1, size // 4, size // 4), size=(size, size))
    for _ in range(frames):
        scene = torch.roll(scene, 1, -1)
        yield F.conv2d(scene, kernel, padding=(0, 2)), scene


def fit(model: nn.Module, terms: list[LossTerm], frames: int) -> None:
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step, (blurred, sharp) in enumerate(clip(frames, 4, 24)):
        restored = model(blurred)
        parts = [term(step, restored, sharp) for term in terms]
        loss = torch.stack([p for p in parts if p is not None]).sum()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 5 == 0:
            psnr = -10 * torch.log10(F.mse_loss(restored.detach(), sharp)).item()
            print(f"frame {step:3d} loss {loss.item():.4f} psnr {psnr:.2f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    temporal = TemporalConsistency(start=12, ramp=20, weight=0.2)
    fit(Deblur(), [Charbonnier(), temporal], frames=100)
