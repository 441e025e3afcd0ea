from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor


@dataclass(frozen=True)
class Scan:
    object_id: int
    cloud: Tensor
    grasp: Tensor


def scans(count: int, points: int, gen: torch.Generator) -> Iterator[Scan]:
    """Boxes of random extent; the ideal grasp is across the shortest horizontal side."""
    for oid in range(count):
        extent = 0.03 + 0.1 * torch.rand(3, generator=gen)
        center = 0.2 * torch.randn(3, generator=gen)
        yaw = 3.14159 * torch.rand((), generator=gen)
        local = (torch.rand(points, 3, generator=gen) - 0.5) * extent
        c, s = torch.cos(yaw), torch.sin(yaw)
        rot = torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
        xy = local[:, :2] @ rot.T
        cloud = torch.cat([xy, local[:, 2:]], dim=1) + center
        width = extent[:2].min()
        grasp = torch.cat([center, torch.stack([torch.cos(2 * yaw), torch.sin(2 * yaw), width * 10])])
        yield Scan(oid, cloud, grasp)
