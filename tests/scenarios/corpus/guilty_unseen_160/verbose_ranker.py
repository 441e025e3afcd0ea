# gradwatch-corpus: kind=memory-climb
# holder: self.buffer | tail.buffer | log.handlers
"""Pairwise ranker over query documents, with a log that shows the tail when something goes wrong."""
import logging
from logging.handlers import MemoryHandler

import numpy as np
import torch
from torch import nn

torch.manual_seed(13)
torch.set_num_threads(1)

DOCS, FEATS, STEPS = 1200, 96, 240
log = logging.getLogger("ranker")


def setup_logging():
    out = logging.StreamHandler()
    out.setLevel(logging.WARNING)
    tail = MemoryHandler(capacity=5000, flushLevel=logging.ERROR, target=out)  # <- culprit
    log.addHandler(tail)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    return tail


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Sequential(
            nn.LayerNorm(FEATS), nn.Linear(FEATS, 160), nn.ReLU(), nn.Linear(160, 64), nn.ReLU(), nn.Linear(64, 1)
        )

    def forward(self, docs):
        return self.score(docs).squeeze(-1)


class PairLoss(nn.Module):
    def __init__(self, pairs=4000, margin=0.3):
        super().__init__()
        self.pairs = pairs
        self.margin = margin

    def forward(self, score, grade):
        a = torch.randint(0, len(score), (self.pairs,))
        b = torch.randint(0, len(score), (self.pairs,))
        sign = torch.sign(grade[a] - grade[b])
        return torch.relu(self.margin - sign * (score[a] - score[b]))[sign != 0].mean()


class Queries:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.taste = self.rng.normal(size=FEATS).astype(np.float32) / 8

    def draw(self, number):
        docs = self.rng.normal(size=(DOCS, FEATS)).astype(np.float32)
        grade = np.digitize(docs @ self.taste + self.rng.normal(0, 0.3, DOCS), [-1, 0, 1]).astype(np.float32)
        log.debug("query %d documents %s grades %s", number, docs, grade)  # <- culprit
        return torch.from_numpy(docs), torch.from_numpy(grade)


def inversions(score, grade):
    order = torch.argsort(score, descending=True)
    ranked = grade[order]
    return (ranked[1:] > ranked[:-1]).float().mean().item()


def main():
    tail = setup_logging()
    model, criterion, queries = Ranker(), PairLoss(), Queries(3)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for number in range(STEPS):
        docs, grade = queries.draw(number)
        score = model(docs)
        loss = criterion(score, grade)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        if not torch.isfinite(norm):
            log.error("query %d: gradient is not finite", number)
        opt.step()
        if number % 60 == 59:
            print(f"{number + 1:4d} loss {loss.item():.4f} inversions {inversions(score.detach(), grade):.3f}")
    tail.setTarget(None)
    print("done")


if __name__ == "__main__":
    main()
