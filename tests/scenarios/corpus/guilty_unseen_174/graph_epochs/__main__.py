# gradwatch-corpus: kind=second-backward
# holder: model.propagation | self.model.propagation | trainer.model.propagation | self.propagation
# first-bad: 1
"""Predict sensor readings on a fixed graph whose edge weights are learned along."""
import argparse

import torch

from .callbacks import EpochMean, RefreshPropagation
from .layers import LearnedEdges, SensorGCN
from .loop import EpochTrainer


def ring_with_chords(nodes, chords, g):
    base = torch.stack([torch.arange(nodes), (torch.arange(nodes) + 1) % nodes])
    extra = torch.randint(nodes, (2, chords), generator=g)
    return torch.cat([base, extra[:, extra[0] != extra[1]]], dim=1)


class Readings:
    def __init__(self, nodes, features, g, per_epoch=20, batch=8):
        self.g, self.shape, self.per_epoch = g, (batch, nodes, features), per_epoch
        self.w = torch.randn(features, generator=g)

    def __iter__(self):
        for _ in range(self.per_epoch):
            x = torch.randn(self.shape, generator=self.g)
            signal = x @ self.w
            yield x, 0.5 * signal + 0.25 * (signal.roll(1, -1) + signal.roll(-1, -1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=22)
    args = parser.parse_args()
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(6)
    model = SensorGCN(LearnedEdges(40, ring_with_chords(40, 30, g)), features=6)
    trainer = EpochTrainer(model, [RefreshPropagation(), EpochMean()])
    data = Readings(40, 6, g)
    for _ in range(args.epochs):
        trainer.train_epoch(data)


if __name__ == "__main__":
    main()
