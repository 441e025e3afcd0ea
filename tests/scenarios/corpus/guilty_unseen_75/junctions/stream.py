from typing import Iterator, NamedTuple

import torch
from torch import Tensor


class Tick(NamedTuple):
    adjacency: Tensor
    rows: Tensor
    readings: Tensor
    flow: Tensor


def flow_stream(junctions: int, readings: int, ticks: int) -> Iterator[Tick]:
    g = torch.Generator().manual_seed(30)
    links = (torch.rand(junctions, junctions, generator=g) < 0.2).float() + torch.eye(junctions)
    adjacency = links / links.sum(1, keepdim=True)
    level = torch.rand(junctions, generator=g)
    for _ in range(ticks):
        rows = torch.randperm(junctions, generator=g)[:8]
        noise = 0.1 * torch.randn(8, readings, generator=g)
        level = 0.9 * (adjacency @ level) + 0.1 * torch.rand(junctions, generator=g)
        yield Tick(adjacency, rows, level[rows].unsqueeze(1) + noise, level[rows])
