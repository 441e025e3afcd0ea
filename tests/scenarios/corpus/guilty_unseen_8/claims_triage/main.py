# gradwatch-corpus: kind=graph-held
# holder: scorer._futures | self._futures | triage.scorer._futures | self.scorer._futures
# first-bad: 1
"""Severity triage for incoming insurance claims; quality figures are computed off the training thread."""
from __future__ import annotations

import logging

import torch
from torch import nn

from records import ClaimFeed, FeedConfig
from scoring import BackgroundScorer
from network import SeverityNet

log = logging.getLogger("triage")


class TriageJob:
    def __init__(self, feed: ClaimFeed, scorer: BackgroundScorer, lr: float = 2e-3) -> None:
        self.feed = feed
        self.scorer = scorer
        self.net = SeverityNet(feed.cfg.n_numeric, feed.cfg.n_codes)
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    def run(self, steps: int) -> None:
        for step, claim in zip(range(steps), self.feed):
            severity = self.net(claim.numeric, claim.codes)
            objective = self.criterion(severity, claim.level)
            self.optim.zero_grad(set_to_none=True)
            objective.backward()
            self.optim.step()
            self.scorer.submit(step, severity, claim.level)  # <- culprit
            if step % 50 == 49:
                card = self.scorer.latest()
                log.info("step %d objective %.4f brier %.4f acc %.3f", step + 1, objective.item(), card.brier, card.accuracy)


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(113)
    scorer = BackgroundScorer()
    with scorer:
        triage = TriageJob(ClaimFeed(FeedConfig()), scorer)
        triage.run(300)
        log.info("mean brier %.4f over %d batches", scorer.mean_brier(), scorer.count)


if __name__ == "__main__":
    main()
