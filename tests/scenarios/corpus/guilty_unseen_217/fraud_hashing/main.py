# gradwatch-corpus: kind=graph-chain
# holder: self.tracker.total | self.total | trainer.tracker.total
# first-bad: 1
import torch

from features import HashedTransactions
from scorer import FraudScorer
from train import FraudTrainer


def main():
    torch.manual_seed(3)
    data = HashedTransactions(n_bins=256, batch=64, fraud_rate=0.08)
    model = FraudScorer(n_bins=256)
    trainer = FraudTrainer(model, pos_weight=6.0, lr=0.002)
    for shift in range(2):
        trainer.run_shift(data.batches(45))
        print("shift", shift, "avg objective", round(trainer.tracker.mean(), 4))


if __name__ == "__main__":
    main()
