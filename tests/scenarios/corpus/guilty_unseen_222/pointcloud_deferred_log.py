# gradwatch-corpus: kind=graph-held
# holder: self.pending | sink.pending | self.sink.pending
# first-bad: 1
"""Point-cloud completion; log lines are formatted lazily and written in one go."""
from __future__ import annotations

import io
import time
from functools import partial
from typing import Callable

import torch
from torch import Tensor, nn


class DeferredSink:
    """Collects log thunks so that formatting stays off the hot path."""

    def __init__(self, stream: io.TextIOBase) -> None:
        self.stream = stream
        self.pending: list[Callable[[], str]] = []

    def defer(self, thunk: Callable[[], str]) -> None:
        self.pending.append(thunk)  # <- culprit

    def flush(self) -> int:
        n = 0
        while self.pending:
            self.stream.write(self.pending.pop(0)() + "\n")
            n += 1
        return n


def chamfer(a: Tensor, b: Tensor) -> Tensor:
    d = torch.cdist(a, b)
    return d.min(1).values.mean() + d.min(2).values.mean()


class Completer(nn.Module):
    def __init__(self, width: int = 32, out_points: int = 48) -> None:
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width))
        self.decode = nn.Sequential(nn.Linear(width, 96), nn.ReLU(), nn.Linear(96, out_points * 3))
        self.out_points = out_points

    def forward(self, partial_cloud: Tensor) -> Tensor:
        code = self.local(partial_cloud).max(1).values
        return self.decode(code).view(-1, self.out_points, 3)


def line(step: int, started: float, terms: dict[str, Tensor]) -> str:
    body = " ".join(f"{k}={v.item():.4f}" for k, v in terms.items())
    return f"{step:04d} t={time.perf_counter() - started:.1f}s {body}"


def ellipsoids(batch: int, points: int) -> tuple[Tensor, Tensor]:
    axes = 0.5 + torch.rand(batch, 1, 3)
    u = torch.randn(batch, points, 3)
    full = axes * u / u.norm(dim=-1, keepdim=True)
    order = full[..., 2].argsort(1)[:, : points // 2]
    return full.gather(1, order[..., None].expand(-1, -1, 3)), full


def main() -> None:
    torch.manual_seed(12)
    started = time.perf_counter()
    sink = DeferredSink(io.StringIO())
    model = Completer()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(150):
        seen, full = ellipsoids(8, 64)
        out = model(seen)
        terms = {
            "chamfer": chamfer(out, full),
            "radius": (out.norm(dim=-1).mean() - full.norm(dim=-1).mean()).abs(),
        }
        loss = terms["chamfer"] + 0.1 * terms["radius"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        sink.defer(partial(line, step, started, terms))  # <- culprit
    written = sink.flush()
    print(sink.stream.getvalue().splitlines()[-1])
    print(f"{written} lines")


if __name__ == "__main__":
    main()
