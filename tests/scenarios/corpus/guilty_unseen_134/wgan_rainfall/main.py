# gradwatch-corpus: kind=graph-held
# holder: self.book.series["penalty"] | self.book.series | trainer.book.series | self.series | trainer.book.series["penalty"]
# first-bad: 1
# notice: 8
"""Wasserstein GAN for daily rainfall sequences at one gauge."""
import torch

torch.set_num_threads(1)

from settings import SETTINGS
from trainer import RainTrainer


def main():
    torch.manual_seed(SETTINGS["seed"])
    trainer = RainTrainer(SETTINGS)
    trainer.train()
    trainer.book.table()


if __name__ == "__main__":
    main()
