# gradwatch-corpus: kind=graph-held
# holder: self.skipped | trainer.skipped
# first-bad: 1
# notice: 8
"""GIN for toy molecule property regression:  python -m molgin"""
import torch

torch.set_num_threads(1)

from .data import random_molecules
from .nets import GIN
from .trainer import Trainer


def main():
    torch.manual_seed(77)
    mols = random_molecules(240, seed=4)
    trainer = Trainer(GIN(n_feat=5, hidden=20, layers=3), lr=3e-3, batch_size=6)
    for epoch in range(10):
        mae = trainer.run_epoch(mols)
        print(f"epoch {epoch}  mae {mae:.3f}  skipped {len(trainer.skipped)}")
    if trainer.skipped:
        print("first skipped:", *trainer.skipped[0])


if __name__ == "__main__":
    main()
