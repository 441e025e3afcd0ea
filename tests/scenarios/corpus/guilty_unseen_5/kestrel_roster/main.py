# gradwatch-corpus: kind=graph-chain
# holder: self.table | voices.table | trainer.voices.table | self.voices.table
# first-bad: 1
"""Speaker identification with running per-speaker prototypes (GE2E flavour) on synthetic filterbanks."""
import torch

from bird.data import Booth
from bird.nets import FrameEncoder
from bird.optim import OldLars
from bird.roster import Roster
from bird.loop import Trainer


def main():
    torch.manual_seed(77)
    booth = Booth(speakers=10, bands=20)
    encoder = FrameEncoder(bands=20, dim=16)
    voices = Roster(speakers=10, dim=16, keep=0.9)
    trainer = Trainer(encoder, voices, OldLars(encoder.parameters(), lr=0.4), booth)
    trainer.run(300)


if __name__ == "__main__":
    main()
