# gradwatch-corpus: kind=graph-held
# holder: self.by_plant | self.book.by_plant | trainer.book.by_plant | book.by_plant | self.by_plant[plant] | recent
# first-bad: 1
# notice: 8
"""Remaining-useful-life regression on turbine windows from four plants."""
import torch

from fleet import Fleet
from training import RulTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(71)
    fleet = Fleet(["aalborg", "brest", "cadiz", "delft"], window=16, channels=6)
    trainer = RulTrainer(channels=6, hidden=24, lr=3e-3)
    for it in range(360):
        plant, x, rul = fleet.next_batch(it)
        trainer.fit_batch(plant, x, rul)
        if (it + 1) % 60 == 0:
            bias = " ".join(f"{p}={b:+.3f}" for p, b in sorted(trainer.bias.items()))
            print(f"it {it + 1:4d}  mse {trainer.last_mse:.4f}  bias {bias}")


if __name__ == "__main__":
    main()
