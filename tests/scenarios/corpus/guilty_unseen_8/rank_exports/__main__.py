# gradwatch-corpus: kind=graph-held
# holder: sink._closing | self._closing | sink._closing._exit_callbacks | self._closing._exit_callbacks | job.sink._closing | self.sink._closing
# first-bad: 21
"""Pairwise ranker for marketplace search; run figures are exported when the job closes."""
from __future__ import annotations

import torch

from .config import JobConfig
from .ranker import ListingRanker, margin_terms, sample_queries
from .sinks import ReportSink


class RankJob:
    def __init__(self, cfg: JobConfig, sink: ReportSink) -> None:
        self.cfg = cfg
        self.sink = sink
        self.ranker = ListingRanker(cfg.features, cfg.width)
        self.adam = torch.optim.Adam(self.ranker.parameters(), lr=cfg.lr)
        self.warm = torch.optim.lr_scheduler.LinearLR(self.adam, 0.1, 1.0, total_iters=cfg.burn_in)
        self.taste = torch.randn(cfg.features)

    def one(self, i: int) -> float:
        shown, clicked = sample_queries(self.cfg, self.taste)
        terms = margin_terms(self.ranker(shown), clicked)
        total = terms["pairwise"] + 0.2 * terms["listwise"]
        self.adam.zero_grad()
        total.backward()
        self.adam.step()
        self.warm.step()
        if i >= self.cfg.burn_in:
            for name, value in terms.items():
                self.sink.defer(i, name, value)  # <- culprit
        return total.item()


def main(cfg: JobConfig = JobConfig()) -> None:
    torch.manual_seed(cfg.seed)
    with ReportSink() as sink:
        job = RankJob(cfg, sink)
        for i in range(cfg.steps):
            shown = job.one(i)
            if i % 75 == 0:
                print(f"[rank] {i:03d} {shown:.4f}")
    print(f"[rank] exported {sink.rows} rows, last {sink.tail}")


if __name__ == "__main__":
    main()
