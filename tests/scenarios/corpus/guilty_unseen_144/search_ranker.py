# gradwatch-corpus: kind=graph-held
# holder: dead_letters | dead_letters[-1]["error"].__traceback__ | sink
# first-bad: 1
# notice: 8
import functools
import time

import torch

torch.set_num_threads(1)
import torch.nn.functional as F
from torch import nn

torch.manual_seed(8)
dead_letters = []


class QualityGate(RuntimeError):
    pass


def guarded(sink, *, swallow):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **kw):
            started = time.perf_counter()
            try:
                return fn(*a, **kw)
            except swallow as exc:
                sink.append({"error": exc, "fn": fn.__name__, "secs": time.perf_counter() - started})  # <- culprit
                return None
        return inner
    return deco


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(12, 10), nn.SiLU(), nn.Linear(10, 6))
        self.d = nn.Sequential(nn.Linear(20, 10), nn.SiLU(), nn.Linear(10, 6))

    def forward(self, q, d):
        return F.normalize(self.q(q), dim=-1) @ F.normalize(self.d(d), dim=-1).T / 0.2


towers = TwoTower()
opt = torch.optim.AdamW(towers.parameters(), lr=3e-3)
world = torch.randn(12, 20)


def check_margin(scores):
    pos = scores.diagonal()
    neg = scores.masked_fill(torch.eye(len(scores), dtype=torch.bool), -1e9).max(1).values
    violated = int((neg > pos).sum())
    if violated >= 3:
        raise QualityGate(f"{violated} queries rank a wrong document first")


@guarded(dead_letters, swallow=QualityGate)
def one_batch(n=16):
    q = torch.randn(n, 12)
    d = q @ world + 2.4 * torch.randn(n, 20)
    scores = towers(q, d)
    loss = F.cross_entropy(scores, torch.arange(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
    check_margin(scores)
    return loss.item()


ok = [v for v in (one_batch() for _ in range(400)) if v is not None]
print(f"{len(ok)} clean batches, {len(dead_letters)} gated")
print("last:", dead_letters[-1]["error"])
