# gradwatch-corpus: kind=graph-held
# holder: self.values | memo.values | self.memo.values | report.memo.values | self.report.memo.values | trainer.report.memo.values
# first-bad: 1
# notice: 8
"""Secondary-structure scoring of short peptides with a recent-results memo."""
import random

import torch

from data import peptides
from trainer import PeptideTrainer

torch.set_num_threads(1)
random.seed(12)
torch.manual_seed(12)

if __name__ == "__main__":
    trainer = PeptideTrainer(peptides(600))
    for epoch in range(8):
        trainer.epoch(batch_size=12)
        print(f"epoch {epoch}  " + trainer.report.line())
