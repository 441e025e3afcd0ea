# gradwatch-corpus: kind=second-backward
# holder: self._table | trainer.library._table | self.library._table | library._table
# first-bad: 1
"""Few-shot grape variety recognition from chemical profiles."""
import torch

from cellar import Cellar
from library import PrototypeLibrary
from nets import Palate
from training import EpisodeTrainer


def main():
    torch.manual_seed(1982)
    cellar = Cellar(varieties=8, markers=13)
    palate = Palate(13, 24)
    library = PrototypeLibrary(palate, cellar)
    trainer = EpisodeTrainer(palate, library, cellar)
    for vintage in range(4):
        acc = trainer.epoch(batches=30)
        print(f"vintage {vintage}: {acc:.2%}")


if __name__ == "__main__":
    main()
