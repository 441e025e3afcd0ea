"""Runs the quality figures on a worker thread so that training is never held up by them."""
from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class ScoreCard:
    step: int
    brier: torch.Tensor
    accuracy: float


def score(step: int, logits: torch.Tensor, level: torch.Tensor) -> ScoreCard:
    p = logits.softmax(-1)
    brier = (p - F.one_hot(level, p.shape[-1])).pow(2).sum(-1).mean()
    hits = (p.argmax(-1) == level).float().mean().item()
    return ScoreCard(step, brier, hits)  # <- culprit


class BackgroundScorer:
    def __init__(self, workers: int = 1) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="score")
        self._futures: dict[int, Future[ScoreCard]] = {}

    def __enter__(self) -> "BackgroundScorer":
        return self

    def __exit__(self, *exc) -> None:
        self._pool.shutdown(wait=True)

    @property
    def count(self) -> int:
        return len(self._futures)

    def submit(self, step: int, logits: torch.Tensor, level: torch.Tensor) -> None:
        self._futures[step] = self._pool.submit(score, step, logits, level)  # <- culprit

    def latest(self) -> ScoreCard:
        return self._futures[max(self._futures)].result()

    def mean_brier(self) -> float:
        return sum(float(f.result().brier) for f in self._futures.values()) / max(1, self.count)
