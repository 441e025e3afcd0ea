# gradwatch-corpus: kind=graph-held
# holder: self.residuals | tracker.residuals | trainer.callbacks[1].residuals | self.callbacks[1].residuals | cb.residuals
# first-bad: 1
# notice: 8
"""Hourly demand of a bike-share network: quantile regression with per-district diagnostics."""
import argparse

import torch

from callbacks import DistrictResiduals, LearningRateLog
from model import DemandModule
from training.trainer import Trainer


class DemandLoader:
    """Batches come from one district each, as the upstream exporter writes them."""

    def __init__(self, districts, n_batches, batch_size):
        self.districts, self.n_batches, self.batch_size = districts, n_batches, batch_size

    def __len__(self):
        return self.n_batches

    def __iter__(self):
        for i in range(self.n_batches):
            x = torch.randn(self.batch_size, 10)
            base = x[:, 0] * 2 + (x[:, 1] * x[:, 2]).sin() + 0.3 * (i % len(self.districts))
            yield {"district": self.districts[i % len(self.districts)], "x": x,
                   "y": base + 0.4 * torch.randn(self.batch_size)}


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=1)
    ap.add_argument("--batches", type=int, default=130)
    ap.add_argument("--batch-size", type=int, default=48)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(4)

    loader = DemandLoader(["docks", "campus", "old-town"], args.batches, args.batch_size)
    tracker = DistrictResiduals()
    trainer = Trainer(callbacks=[LearningRateLog(), tracker], max_epochs=args.epochs)
    trainer.fit(DemandModule(n_features=10), loader)
    for name, (bias, spread) in tracker.table.items():
        print(f"{name:10s} bias {bias:+.3f} spread {spread:.3f}")


if __name__ == "__main__":
    main()
