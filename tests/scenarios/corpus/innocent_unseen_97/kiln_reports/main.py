# gradwatch-corpus: kind=none
"""Kiln temperature model; prefetching and reporting run on their own threads."""
import torch

from feed import Prefetcher, kiln_batches
from report import Reporter
from trainer import KilnTrainer, ReportMixin


class ReportingTrainer(ReportMixin, KilnTrainer):
    pass


def main():
    torch.set_num_threads(1)
    torch.manual_seed(121)
    with Reporter(window=48) as reporter, Prefetcher(kiln_batches(360), depth=4) as feed:
        trainer = ReportingTrainer(zones=7, reporter=reporter)
        for batch in feed:
            trainer.step(batch)
    print(reporter.summary())


if __name__ == "__main__":
    main()
