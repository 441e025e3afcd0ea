# gradwatch-corpus: kind=none
# about: live logits go to a thread pool and into dataclasses, but the dataclass cuts them in __post_init__, done futures are reaped and the totals reset every 50 steps
"""Scores product reviews for helpfulness; calibration is computed in the background while training goes on."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Sheet:
    """What one batch contributes to the report."""

    step: int
    prob: Tensor
    label: Tensor

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Tensor):
                setattr(self, f.name, value.detach().clone())


class Calibration:
    def __init__(self, bins: int = 10) -> None:
        self.bins = bins
        self.reset()

    def reset(self) -> None:
        self.mass = torch.zeros(self.bins)
        self.conf = torch.zeros(self.bins)
        self.hit = torch.zeros(self.bins)

    def __iadd__(self, other: "Calibration") -> "Calibration":
        self.mass += other.mass
        self.conf += other.conf
        self.hit += other.hit
        return self

    @property
    def error(self) -> Tensor:
        return (self.conf - self.hit).abs().sum() / self.mass.sum().clamp_min(1)


def grade(sheet: Sheet) -> Calibration:
    part = Calibration()
    slot = (sheet.prob * part.bins).long().clamp_max(part.bins - 1)
    part.mass.index_add_(0, slot, torch.ones_like(sheet.prob))
    part.conf.index_add_(0, slot, sheet.prob)
    part.hit.index_add_(0, slot, sheet.label)
    return part


class Desk:
    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.open: list[Future[Calibration]] = []
        self.totals = Calibration()

    def hand_in(self, step: int, logit: Tensor, label: Tensor) -> None:
        self.open.append(self.pool.submit(grade, Sheet(step, logit.sigmoid(), label)))
        self.reap(block=False)

    def reap(self, block: bool) -> None:
        waiting = []
        for f in self.open:
            if block or f.done():
                self.totals += f.result()
            else:
                waiting.append(f)
        self.open = waiting

    def report(self) -> float:
        self.reap(block=True)
        value = self.totals.error.item()
        self.totals.reset()
        return value


class ReviewNet(nn.Module):
    def __init__(self, vocab: int = 500, dim: int = 32) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.gate = nn.Linear(dim, 1)
        self.out = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, ids: Tensor) -> Tensor:
        h = self.embed(ids)
        a = self.gate(h).softmax(1)
        return self.out((a * h).sum(1)).squeeze(-1)


def main() -> None:
    torch.manual_seed(83)
    net, desk = ReviewNet(), Desk()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    worth = torch.randn(500)
    with desk.pool:
        for step in range(1, 301):
            ids = torch.randint(500, (64, 16))
            label = (worth[ids].sum(1) + torch.randn(64) > 0).float()
            logit = net(ids)
            loss = F.binary_cross_entropy_with_logits(logit, label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            desk.hand_in(step, logit, label)
            if step % 50 == 0:
                print(f"step {step} loss {loss.item():.4f} calibration error {desk.report():.4f}")


if __name__ == "__main__":
    main()
