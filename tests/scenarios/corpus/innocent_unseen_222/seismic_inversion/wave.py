from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint


class Medium:
    def __init__(self, speed: Tensor) -> None:
        self.c2 = speed**2
        taper = torch.ones_like(speed)
        taper[:5] = torch.linspace(0.9, 1.0, 5)
        taper[-5:] = torch.linspace(1.0, 0.9, 5)
        self.taper = taper.detach()


def ricker(steps: int, width: float = 7.0) -> Tensor:
    t = (torch.arange(steps) - 14) / width
    return (1 - 2 * t**2) * torch.exp(-(t**2))


def laplace(u: Tensor) -> Tensor:
    out = torch.zeros_like(u)
    out[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
    return out


def segment(c2: Tensor, taper: Tensor, prev: Tensor, cur: Tensor, source: Tensor, at: int) -> tuple[Tensor, Tensor, Tensor]:
    seen = []
    for amplitude in source:
        nxt = 2 * cur - prev + c2 * laplace(cur)
        nxt[at] += amplitude
        nxt = nxt * taper
        prev, cur = cur * taper, nxt
        seen.append(torch.stack([cur[2], cur[-3]]))
    return prev, cur, torch.stack(seen)


def simulate(medium: Medium, source: Tensor, at: int, parts: int = 3) -> Tensor:
    prev = torch.zeros_like(medium.c2)
    cur = torch.zeros_like(medium.c2)
    traces = []
    for chunk in source.chunk(parts):
        prev, cur, seen = checkpoint(segment, medium.c2, medium.taper, prev, cur, chunk, at, use_reentrant=False)
        traces.append(seen)
    return torch.cat(traces)
