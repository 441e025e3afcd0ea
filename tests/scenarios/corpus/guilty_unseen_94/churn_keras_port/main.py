# gradwatch-corpus: kind=graph-held
# holder: self.batch_log | history.batch_log | row | self.batch_log[-1] | self.batch_log[i].values
# first-bad: 1
# notice: 8
"""Customer churn model, moved over from our tf.keras code base.

The tiny `fitting` package imitates the bits of keras we rely on
(compile / fit / callbacks).
"""
import torch
from torch import nn

from fitting.callbacks import EarlyStop, History, Printer
from fitting.model import Model

torch.set_num_threads(1)
torch.manual_seed(1234)


def make_customers(n):
    tenure = torch.rand(n) * 5
    charge = torch.randn(n)
    tickets = torch.poisson(torch.full((n,), 1.5))
    region = torch.randint(0, 6, (n,))
    bias = torch.tensor([0.3, -0.2, 0.0, 0.6, -0.5, 0.1])[region]
    logit = 0.8 * tickets - 0.9 * tenure + 0.7 * charge + bias
    y = torch.bernoulli(torch.sigmoid(logit))
    dense = torch.stack([tenure, charge, tickets], 1)
    return dense, region, y


class ChurnNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.region = nn.Embedding(6, 4)
        self.body = nn.Sequential(
            nn.Linear(7, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1)
        )

    def forward(self, dense, region):
        return self.body(torch.cat([dense, self.region(region)], 1)).squeeze(1)


def accuracy(logit, y):
    return ((logit > 0).float() == y).float().mean()


if __name__ == "__main__":
    history = History()
    model = Model(ChurnNet())
    model.compile(
        optimizer=torch.optim.RMSprop(model.net.parameters(), lr=2e-3),
        loss=nn.BCEWithLogitsLoss(),
        metrics={"acc": accuracy},
    )
    model.fit(
        make_customers(1280),
        batch_size=32,
        epochs=8,
        callbacks=[history, Printer(), EarlyStop("loss", patience=6)],
    )
    losses = [float(r.values["loss"].detach()) for r in history.batch_log]
    print("batches:", len(losses), " best batch loss: %.4f" % min(losses))
