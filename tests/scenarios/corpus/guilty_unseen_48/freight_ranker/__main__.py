# gradwatch-corpus: kind=graph-held
# holder: self._rows | tracker._rows | self.tracker._rows
# first-bad: 1
"""Rank carriers for a load by pairwise preference.  python -m freight_ranker"""
import torch

from .data import load_pairs
from .tracker import Tracker
from .training import Options, PairTrainer, Scorer


def main():
    torch.manual_seed(21)
    opts = Options()
    with Tracker("freight", every=25) as tracker:
        trainer = PairTrainer(Scorer(opts.features, opts.hidden), opts, tracker)
        for stage, margin in (("warm", 0.1), ("main", 0.4)):
            with tracker.scope(stage=stage, margin=margin):
                trainer.fit(load_pairs(opts.steps, opts.batch, opts.features), margin)
    print("best rows:", [f"{r['loss']:.3f}@{r['stage']}" for r in tracker.best(3)])


if __name__ == "__main__":
    main()
