# gradwatch-corpus: kind=graph-held
# holder: self.num | self.metrics["logloss"].num | hub.metrics["logloss"].num | hub["logloss"].num | trainer.hub.metrics["logloss"].num | self.hub.metrics["logloss"].num | metrics["logloss"].num
# first-bad: 1
"""Click-through-rate model for the sponsored slots, DLRM style (embeddings, pairwise dots, two MLPs).
One pass over a day of logs, as the production job does it."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn

from data import ClickLog
from metrics import Calibration, MetricHub, WeightedMean

SLOTS = [1000, 200, 50, 24, 7]
N_DENSE = 13
DIM = 16
BATCHES_PER_DAY = 400


def mlp(*sizes, last_relu=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if last_relu or i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, DIM) for n in SLOTS)
        self.bottom = mlp(N_DENSE, 64, DIM)
        n = len(SLOTS) + 1
        self.register_buffer("pairs", torch.triu_indices(n, n, offset=1))
        self.top = mlp(DIM + self.pairs.shape[1], 64, 1, last_relu=False)

    def forward(self, dense, cats):
        d = self.bottom(dense)
        vecs = [d] + [t(cats[:, i]) for i, t in enumerate(self.tables)]
        v = torch.stack(vecs, dim=1)
        dots = v @ v.transpose(1, 2)
        feats = dots[:, self.pairs[0], self.pairs[1]]
        return self.top(torch.cat([d, feats], dim=1)).squeeze(1)


class Trainer:
    def __init__(self, model, hub, lr=2e-3):
        self.model = model
        self.hub = hub
        self.opt = torch.optim.Adagrad(model.parameters(), lr=lr * 5)
        self.criterion = nn.BCEWithLogitsLoss()

    def step(self, batch):
        logits = self.model(batch.dense, batch.cats)
        loss = self.criterion(logits, batch.label)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.hub.on_batch(loss, logits, batch.label)

    def run_day(self, log):
        self.model.train()
        for i, batch in enumerate(log.batches(BATCHES_PER_DAY)):
            self.step(batch)
            if i % 100 == 99:
                print(f"[{i + 1:4d}] {self.hub.report()}")
        self.hub.reset()


def main():
    torch.manual_seed(11)
    log = ClickLog(SLOTS, N_DENSE, batch_size=128, seed=5)
    hub = MetricHub(logloss=WeightedMean(), calibration=Calibration())
    trainer = Trainer(DLRM(), hub)
    trainer.run_day(log)


if __name__ == "__main__":
    main()
