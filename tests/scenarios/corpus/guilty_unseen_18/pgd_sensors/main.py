# gradwatch-corpus: kind=graph-held
# holder: self.rejected | trainer.rejected | fit.rejected | exc | exc.__traceback__ | self.rejected[-1]
# first-bad: 4
# notice: 30
"""Adversarial training of a small 1-d conv net for machine-sound classes, with recordings that clip now and then.
Batches whose loss is out of line are rejected and listed at the end."""
import torch

from data import stream
from guard import SpikeGuard
from robust import RobustTrainer, SoundNet


def run(n_batches: int = 420, seed: int = 5) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    trainer = RobustTrainer(SoundNet(classes=4), SpikeGuard(factor=1.8, window=24, min_seen=3))
    trainer.fit(stream(n_batches, classes=4, seed=seed))
    print(trainer.summary())


if __name__ == "__main__":
    run()
