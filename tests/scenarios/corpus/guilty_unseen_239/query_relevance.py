# gradwatch-corpus: kind=graph-held
# holder: self.values["listnet"] | self.values["total"] | self.values | meter.values | ranker.meter.values
# first-bad: 1
import sys
from contextlib import contextmanager
from time import perf_counter
from typing import Dict, Iterator, Tuple

import torch
from torch import Tensor, nn


class SmoothedMeter:
    """Bias-corrected exponential averages for the console."""

    def __init__(self, momentum: float = 0.97):
        self.momentum = momentum
        self.values: Dict[str, Tensor] = {}
        self.counts: Dict[str, int] = {}

    def push(self, **metrics: Tensor) -> None:
        for key, value in metrics.items():
            previous = self.values.get(key, torch.zeros(()))
            self.values[key] = self.momentum * previous + (1 - self.momentum) * value  # <- culprit
            self.counts[key] = self.counts.get(key, 0) + 1

    def line(self) -> str:
        parts = []
        for key, value in self.values.items():
            correction = 1 - self.momentum ** self.counts[key]
            parts.append(f"{key} {value.item() / correction:.4f}")
        return "  ".join(parts)


@contextmanager
def timed(stream=sys.stderr):
    start = perf_counter()
    yield
    print(f"training took {perf_counter() - start:.2f}s", file=stream)


def query_batches(steps: int, queries: int, docs: int, dim: int) -> Iterator[Tuple[Tensor, Tensor, Tensor]]:
    mix = torch.randn(dim, dim) / dim ** 0.5
    for _ in range(steps):
        q = torch.randn(queries, dim)
        d = torch.randn(queries, docs, dim)
        affinity = torch.einsum("qi,ij,qdj->qd", q, mix, d)
        grades = (affinity + 0.2 * torch.randn_like(affinity)).clamp(min=0)
        yield q, d, grades


class CrossRanker(nn.Module):
    def __init__(self, dim: int, hidden: int):
        super().__init__()
        self.q_proj = nn.Linear(dim, hidden)
        self.d_proj = nn.Linear(dim, hidden)
        self.mix = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.meter = SmoothedMeter()

    def forward(self, q: Tensor, d: Tensor) -> Tensor:
        qh = self.q_proj(q).unsqueeze(1).expand(-1, d.shape[1], -1)
        dh = self.d_proj(d)
        return self.mix(torch.cat([qh, dh, qh * dh], dim=-1)).squeeze(-1)


def listnet(scores: Tensor, grades: Tensor) -> Tensor:
    return -(grades.softmax(-1) * scores.log_softmax(-1)).sum(-1).mean()


def main() -> None:
    torch.manual_seed(88)
    dim = 16
    ranker = CrossRanker(dim, 32)
    opt = torch.optim.AdamW(ranker.parameters(), lr=3e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=160)
    with timed():
        for step, (q, d, grades) in enumerate(query_batches(160, 24, 10, dim), start=1):
            scores = ranker(q, d)
            ranking = listnet(scores, grades)
            shift = scores.mean().square()
            total = ranking + 0.01 * shift
            opt.zero_grad()
            total.backward()
            opt.step()
            sched.step()
            ranker.meter.push(listnet=ranking, total=total)  # <- culprit
            if step % 40 == 0:
                print(f"{step:4d}  lr {sched.get_last_lr()[0]:.2e}  {ranker.meter.line()}")


if __name__ == "__main__":
    main()
