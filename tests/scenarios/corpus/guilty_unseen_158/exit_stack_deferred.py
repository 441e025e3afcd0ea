# gradwatch-corpus: kind=graph-held
# holder: closing | self.closing | session.closing | self.closing._exit_callbacks
# first-bad: 1
# notice: 8
"""Pairwise ranking of search results; per-step lines are written when the session closes."""
import csv
import os
import tempfile
from contextlib import ExitStack

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(33)


class Ranker(nn.Module):
    def __init__(self, features=18, width=40):
        super().__init__()
        self.query = nn.Embedding(12, 8)
        self.score = nn.Sequential(
            nn.Linear(features + 8, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, query, docs):
        q = self.query(query).unsqueeze(1).expand(-1, docs.size(1), -1)
        return self.score(torch.cat([docs, q], dim=-1)).squeeze(-1)


def pairwise_loss(scores, relevance):
    margin = scores.unsqueeze(2) - scores.unsqueeze(1)
    better = (relevance.unsqueeze(2) > relevance.unsqueeze(1)).float()
    return (F.softplus(-margin) * better).sum() / better.sum().clamp_min(1.0)


def queries(batch, docs=6, features=18):
    query = torch.randint(0, 12, (batch,))
    x = torch.randn(batch, docs, features)
    relevance = (x[..., 0] + 0.5 * x[..., 3] > 0.4).long() + (x[..., 5] > 1).long()
    return query, x, relevance


class Session:
    """Owns what has to be released or written at the end of a run."""

    def __init__(self):
        self.closing = ExitStack()
        handle, self.path = tempfile.mkstemp(suffix=".csv")
        self.file = self.closing.enter_context(os.fdopen(handle, "w", newline=""))
        self.table = csv.writer(self.file)
        self.model = Ranker()
        self.optim = torch.optim.RMSprop(self.model.parameters(), lr=1e-3)

    def write_row(self, step, loss, spread):
        self.table.writerow([step, f"{loss:.5f}", f"{spread:.5f}"])

    def defer(self, fn, *args):
        self.closing.callback(fn, *args)  # <- culprit

    def train_step(self, step):
        query, docs, relevance = queries(24)
        scores = self.model(query, docs)
        loss = pairwise_loss(scores, relevance)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.defer(self.write_row, step, loss.item(), scores.std())  # <- culprit
        return loss.item()

    def close(self):
        self.closing.close()
        os.unlink(self.path)


def main():
    session = Session()
    try:
        for step in range(75):
            value = session.train_step(step)
            if step % 25 == 24:
                print(f"step {step + 1} pairwise {value:.4f}")
    finally:
        session.close()


if __name__ == "__main__":
    main()
