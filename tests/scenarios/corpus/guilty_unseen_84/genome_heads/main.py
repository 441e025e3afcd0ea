# gradwatch-corpus: kind=inplace-modified
# holder: model.trunk.pool.weight | self.model.trunk.pool.weight | trunk.pool.weight | self.pool.weight | teacher.trunk.pool.weight | p
# first-bad: 40
# notice: 0
"""Gene / splice-site annotation, a shared trunk with two heads; synced copy for the consistency term."""
import torch

from genome import contigs
from model import Annotator
from hooks import Loggers, TrunkBlend
from train import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1000)
    trainer = Trainer(Annotator(), hooks=[Loggers(every=20), TrunkBlend(start=40, rate=0.05)])
    trainer.fit(contigs(160))


if __name__ == "__main__":
    main()
