from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class GraspBatch:
    depth: Tensor
    quality: Tensor
    width: Tensor
    angle: Tensor


@dataclass
class GraspOutput:
    quality: Tensor
    width: Tensor
    angle: Tensor

    def losses(self, ref: GraspBatch) -> tuple[Tensor, Tensor, Tensor]:
        return (
            F.binary_cross_entropy_with_logits(self.quality, ref.quality),
            F.smooth_l1_loss(self.width, ref.width),
            F.mse_loss(self.angle, ref.angle),
        )


class GraspNet(nn.Module):
    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(2),
            nn.Flatten(),
        )
        self.quality = nn.Linear(4 * width, 1)
        self.width = nn.Linear(4 * width, 1)
        self.angle = nn.Linear(4 * width, 2)

    def forward(self, depth: Tensor) -> GraspOutput:
        h = self.trunk(depth)
        return GraspOutput(self.quality(h).squeeze(-1), self.width(h).squeeze(-1), self.angle(h))


def synth(n: int, gen: torch.Generator, size: int = 28) -> GraspBatch:
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    theta = torch.pi * torch.rand(n, generator=gen)
    width = 0.1 + 0.4 * torch.rand(n, generator=gen)
    across = xx * theta.cos()[:, None, None] + yy * theta.sin()[:, None, None]
    depth = torch.exp(-((across / width[:, None, None]) ** 2))
    depth = depth + 0.05 * torch.randn(n, size, size, generator=gen)
    angle = torch.stack([(2 * theta).cos(), (2 * theta).sin()], dim=-1)
    return GraspBatch(depth.unsqueeze(1), (width < 0.3).float(), width, angle)
