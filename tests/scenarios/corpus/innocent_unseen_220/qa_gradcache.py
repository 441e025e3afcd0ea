# gradwatch-corpus: kind=none
"""Dual-encoder passage retrieval with a large in-batch pool built from chunks."""
import random
from dataclasses import dataclass
from dataclasses import field
from typing import List

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Pool:
    """Embeddings collected until the pool is large enough for one update."""

    questions: List[torch.Tensor] = field(default_factory=list)
    passages: List[torch.Tensor] = field(default_factory=list)

    def add(self, q, p):
        self.questions.append(q)
        self.passages.append(p)

    def __len__(self):
        return len(self.questions)

    def scores(self, temp):
        q = torch.cat(self.questions)
        p = torch.cat(self.passages)
        return q @ p.t() / temp

    def drain(self):
        self.questions.clear()
        self.passages.clear()


class BagEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, ids):
        h = self.bag(ids)
        return F.normalize(h + self.ff(h), dim=1)


class Corpus:
    def __init__(self, vocab, topics, seed):
        self.rng = random.Random(seed)
        self.topics = [[self.rng.randrange(vocab) for _ in range(18)] for _ in range(topics)]

    def pairs(self, n):
        chosen = self.rng.sample(self.topics, n)
        q = [self.rng.choices(words, k=6) for words in chosen]
        p = [self.rng.choices(words, k=20) for words in chosen]
        return torch.tensor(q), torch.tensor(p)


class Retriever:
    registry = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}

    def __init__(self, vocab=2000, dim=48, chunks=4, optimizer="adam", lr=2e-3):
        self.question = BagEncoder(vocab, dim)
        self.passage = BagEncoder(vocab, dim)
        params = [*self.question.parameters(), *self.passage.parameters()]
        self.opt = self.registry[optimizer](params, lr=lr)
        self.pool = Pool()
        self.chunks = chunks
        self.metrics = []

    def feed(self, q_ids, p_ids):
        self.pool.add(self.question(q_ids), self.passage(p_ids))
        if len(self.pool) < self.chunks:
            return None
        scores = self.pool.scores(temp=0.07)
        gold = torch.arange(scores.shape[0])
        loss = 0.5 * (F.cross_entropy(scores, gold) + F.cross_entropy(scores.t(), gold))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pool.drain()
        top1 = (scores.detach().argmax(1) == gold).float().mean()
        self.metrics.append(torch.stack([loss.detach(), top1]))
        return self.metrics[-1]


def main():
    torch.manual_seed(81)
    corpus = Corpus(vocab=2000, topics=400, seed=81)
    retriever = Retriever()
    for i in range(160):
        result = retriever.feed(*corpus.pairs(24))
        if result is not None and i % 32 == 31:
            loss, top1 = result.tolist()
            print(f"chunk {i + 1} loss {loss:.4f} top1 {top1:.3f}")


if __name__ == "__main__":
    main()
