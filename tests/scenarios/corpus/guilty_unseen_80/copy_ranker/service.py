from functools import partial
from itertools import islice

import torch

from contracts import FitSummary, TrainerSettings, Work

class RankingTrainer:
    def __init__(self, scorer: torch.nn.Module, source, sink, unit: Work, settings: TrainerSettings):
        self._scorer, self._source, self._sink = scorer, source, sink
        self._unit, self._settings = unit, settings
        self._optimizer = torch.optim.Adam(scorer.parameters(), lr=settings.lr)

    def _measure(self, round_no, **values):
        for series, value in values.items():
            self._unit.on_commit(partial(self._sink.write, series, round_no, value))  # <- culprit

    def _round(self, round_no, auction):
        gap = self._scorer(auction.clicked) - self._scorer(auction.skipped)
        loss = torch.relu(self._settings.margin - gap).mean()
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        wins = (gap > 0).float().mean()
        self._measure(round_no, hinge=loss.item(), wins=wins, margin=gap.mean())  # <- culprit
        return loss.item()

    def run(self) -> FitSummary:
        summary = FitSummary()
        auctions = islice(self._source.stream(), self._settings.rounds)
        for round_no, auction in enumerate(auctions):
            summary.final_loss = self._round(round_no, auction)
            summary.rounds += 1
        self._unit.commit()
        return summary
