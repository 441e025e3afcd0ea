# gradwatch-corpus: kind=graph-chain
# holder: self.slots | self.anchor.slots | trainer.anchor.slots | averager.slots
# first-bad: 1
"""Calibrate a small spectrometer net with a pull towards its own Polyak average."""
import argparse

import torch

from .model import Spectrometer, SpectrumSource
from .training import AnchoredTrainer, Settings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=450)
    parser.add_argument("--pull", type=float, default=1e-2)
    args = parser.parse_args()
    torch.manual_seed(5)
    trainer = AnchoredTrainer(Spectrometer(), Settings(steps=args.steps, pull=args.pull))
    trainer.run(SpectrumSource(seed=5))


if __name__ == "__main__":
    main()
