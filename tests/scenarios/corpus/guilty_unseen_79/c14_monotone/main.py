# gradwatch-corpus: kind=second-backward
# holder: parametrize._cache | self.rise.weight | self.mix.weight | self.top.weight | model.rise.weight | model.mix.weight | model.top.weight | trainer.model.rise.weight | trainer.model.mix.weight | trainer.model.top.weight
# first-bad: 25
# notice: 0
"""Radiocarbon calibration: a monotone curve from calendar age to C14 age, with lab offsets."""
import argparse

import torch

from callbacks import Progress, Tail, WeightMemo
from curve import CalibrationNet
from dating import Samples
from loop import Trainer

torch.set_num_threads(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch", type=int, default=40)
    ap.add_argument("--burn-in", type=int, default=2, help="epochs before weights are memoised")
    args = ap.parse_args()
    torch.manual_seed(1950)
    data = Samples.tree_rings(480, labs=5)
    trainer = Trainer(
        CalibrationNet(labs=5),
        callbacks=[WeightMemo(args.burn_in), Tail(0.9), Progress()],
        lr=5e-3,
    )
    trainer.fit(data, epochs=args.epochs, batch=args.batch)


if __name__ == "__main__":
    main()
