# gradwatch-corpus: kind=graph-held
# holder: self._pending | log._pending | self.log._pending | LOG._pending | loss | message | self._pending[-1] | LOG._pending[-1]
# first-bad: 1
"""Two-tower retrieval model (query tower, product tower, in-batch softmax).
Debug messages are formatted only if somebody asks for them after the run; formatting each was too slow."""
import collections
import functools
import re
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class LazyLog:
    """Info goes out at once; debug messages are kept as callables and rendered by `dump`."""

    def __init__(self, name, stream=sys.stdout):
        self.name = name
        self.stream = stream
        self._pending = []

    def info(self, text):
        print(f"{self.name}: {text}", file=self.stream)

    def debug(self, message):
        self._pending.append(message)  # <- culprit

    def dump(self, pattern="", last=5):
        shown = 0
        for message in reversed(self._pending):
            text = message()
            if re.search(pattern, text):
                print(f"{self.name} debug: {text}", file=self.stream)
                shown += 1
            if shown >= last:
                break


LOG = LazyLog("twotower")


def hashed_ngrams(gen, n, buckets, length):
    return torch.randint(1, buckets, (n, length), generator=gen)


class Tower(nn.Module):
    def __init__(self, buckets=3000, dim=32, out=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(buckets, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, out))

    def forward(self, tokens):
        return F.normalize(self.mlp(self.bag(tokens)), dim=-1)


class Catalogue:
    """Products with a title; a query is a noisy part of its product's title."""

    def __init__(self, n=1500, buckets=3000, seed=14):
        self.g = torch.Generator().manual_seed(seed)
        self.buckets = buckets
        self.titles = hashed_ngrams(self.g, n, buckets, 10)

    def clicks(self, k):
        item = torch.randperm(len(self.titles), generator=self.g)[:k]
        title = self.titles[item]
        cols = torch.randperm(title.shape[1], generator=self.g)[:4]
        query = title[:, cols].clone()
        noise = torch.rand(query.shape, generator=self.g) < 0.1
        query[noise] = torch.randint(1, self.buckets, (int(noise.sum()),), generator=self.g)
        return query, title


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = Tower()
        self.product = Tower()
        self.log_temp = nn.Parameter(torch.tensor(2.0))

    def similarity(self, q, p):
        return self.query(q) @ self.product(p).T * self.log_temp.exp()


@functools.lru_cache(maxsize=8)
def diagonal(n):
    return torch.arange(n)


@torch.no_grad()
def recall_at(model, catalogue, k=5, n=200):
    q, t = catalogue.clicks(n)
    top = model.similarity(q, t).topk(k, dim=1).indices
    return (top == diagonal(n)[:, None]).any(1).float().mean().item()


def train_step(model, optimizer, step, query, title):
    sim = model.similarity(query, title)
    target = diagonal(len(query))
    loss = 0.5 * (F.cross_entropy(sim, target) + F.cross_entropy(sim.T, target))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    LOG.debug(lambda: f"step={step} loss={loss.item():.4f}")  # <- culprit
    return loss.item()


def main(steps=320, batch=32):
    torch.manual_seed(19)
    catalogue = Catalogue()
    model = TwoTower()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    window = collections.deque(maxlen=40)
    for step in range(steps):
        window.append(train_step(model, optimizer, step, *catalogue.clicks(batch)))
        if step % 80 == 79:
            LOG.info(f"{step + 1} loss {sum(window) / len(window):.3f} recall@5 {recall_at(model, catalogue):.3f}")
    LOG.dump(pattern=r"step=\d*0 ")


if __name__ == "__main__":
    main()
