# gradwatch-corpus: kind=graph-held
# holder: self.history["loss"] | book.history["loss"] | cb.history["loss"] | self.history[key]
# first-bad: 1
# notice: 8
"""Predict whether a laboratory sample will be late, from its routing."""
import torch
from torch import nn

from callbacks import EarlyStop, HistoryBook
from engine import Engine
from samples import SampleStream


class RoutingNet(nn.Module):
    def __init__(self, n_benches=9, n_features=7, width=24):
        super().__init__()
        self.bench = nn.Embedding(n_benches, 8)
        self.body = nn.Sequential(
            nn.Linear(n_features + 8, width), nn.LayerNorm(width), nn.ReLU(),
            nn.Dropout(0.1), nn.Linear(width, 2),
        )

    def forward(self, bench, features):
        return self.body(torch.cat([self.bench(bench), features], dim=-1))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    model = RoutingNet()
    book = HistoryBook(every=40)
    engine = Engine(
        model,
        torch.optim.AdamW(model.parameters(), lr=3e-3),
        callbacks=[book, EarlyStop(key="accuracy", goal=0.999, patience=10)],
    )
    engine.fit(SampleStream(batches=160, size=48))
    last = book.history["accuracy"][-20:]
    print(f"{len(book.history['accuracy'])} steps, accuracy of the last 20: {sum(last) / len(last):.3f}")


if __name__ == "__main__":
    main()
