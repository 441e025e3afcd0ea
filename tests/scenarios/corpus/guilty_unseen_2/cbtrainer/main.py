# gradwatch-corpus: kind=graph-held
# holder: self.records | history.records | logs | self.state.last | cb.records
# first-bad: 1
"""Image classifier with the in-house trainer."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn

from engine import Trainer
from callbacks import History, PrintEvery, LRWarmup
from data import blobs


class TinyCNN(nn.Module):
    def __init__(self, n_cls=5):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(16, n_cls)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


def main():
    torch.manual_seed(11)
    model = TinyCNN()
    history = History()
    trainer = Trainer(
        model,
        torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9),
        nn.CrossEntropyLoss(),
        callbacks=[LRWarmup(20), history, PrintEvery(40)],
    )
    trainer.fit(lambda: blobs(batches=30, bs=16), epochs=5)
    print("best", history.best())


if __name__ == "__main__":
    main()
