# gradwatch-corpus: kind=second-backward
# holder: self.cache | collate.cache | loader.collate_fn.cache | self.loader.collate_fn.cache
# first-bad: 15
# also: graph-held
import logging
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
LOG = logging.getLogger("news")


@dataclass
class Options:
    vocab: int = 200
    dim: int = 20
    topics: int = 4
    articles: int = 480
    batch: int = 32
    epochs: int = 5
    lr: float = 0.01


class Articles(Dataset):
    def __init__(self, o):
        self.topic = torch.randint(0, o.topics, (o.articles,))
        span = o.vocab // o.topics
        self.words = []
        for t in self.topic.tolist():
            own = torch.randint(t * span, (t + 1) * span, (6,))
            noise = torch.randint(0, o.vocab, (int(torch.randint(4, 14, ())),))
            self.words.append(torch.cat([own, noise]))

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        return i, self.words[i], self.topic[i]


class WordPooler(nn.Module):
    """Attention-weighted mean of word vectors."""

    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, words):
        v = self.emb(words)
        return (torch.softmax(self.score(v), dim=0) * v).sum(0)


class PooledCollate:
    """Articles differ in length, so pool each one here and stack the vectors."""

    def __init__(self, pooler):
        self.pooler = pooler
        self.cache = {}

    def pooled(self, idx, words):
        if idx not in self.cache:  # <- culprit
            self.cache[idx] = self.pooler(words)  # <- culprit
        return self.cache[idx]  # <- culprit

    def __call__(self, items):
        vectors = torch.stack([self.pooled(i, w) for i, w, _ in items])  # <- culprit
        return vectors, torch.stack([t for _, _, t in items])


class Trainer:
    def __init__(self, o):
        self.o = o
        self.pooler = WordPooler(o.vocab, o.dim)
        self.head = nn.Sequential(nn.Linear(o.dim, 32), nn.ReLU(), nn.Linear(32, o.topics))
        params = list(self.pooler.parameters()) + list(self.head.parameters())
        self.opt = torch.optim.Adam(params, lr=o.lr)
        self.loader = DataLoader(Articles(o), o.batch, shuffle=True, collate_fn=PooledCollate(self.pooler))
        self.skipped = 0

    def step(self, vectors, topic):
        logits = self.head(vectors)
        loss = nn.functional.cross_entropy(logits, topic)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.o.epochs):
            losses = []
            for vectors, topic in self.loader:
                try:
                    losses.append(self.step(vectors, topic))
                except RuntimeError as err:
                    self.skipped += 1
                    LOG.debug("batch skipped: %s", err)
            mean = sum(losses) / len(losses) if losses else float("nan")
            LOG.info("epoch %d  loss %.3f  skipped so far %d", epoch, mean, self.skipped)


if __name__ == "__main__":
    torch.manual_seed(4)
    Trainer(Options()).fit()
