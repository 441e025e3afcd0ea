# gradwatch-corpus: kind=second-backward
# holder: self._vec | self._vec[p] | self._vec[0] | self.index._vec | self.index._vec[p] | index._vec | retriever.index._vec | retriever.index._vec[p] | fresh
# first-bad: 25
# also: graph-held
"""Retrieval trained on (question, gold passage) pairs; passages are encoded on demand."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Corpus:
    def __init__(self, n=400, vocab=200, length=14, seed=6):
        rng = random.Random(seed)
        self.passages = [[rng.randrange(vocab) for _ in range(length)] for _ in range(n)]
        self.rng = rng

    def question_for(self, pid, length=6):
        return self.rng.sample(self.passages[pid], length)

    def pairs(self, size, batches):
        order = list(range(len(self.passages)))
        self.rng.shuffle(order)
        pos = 0
        for _ in range(batches):
            if pos + size > len(order):
                self.rng.shuffle(order)
                pos = 0
            pids = order[pos:pos + size]
            pos += size
            yield [self.question_for(p) for p in pids], pids


class Encoder(nn.Module):
    def __init__(self, vocab=200, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.proj = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))

    def forward(self, token_lists):
        return F.normalize(self.proj(self.bag(torch.tensor(token_lists))), dim=-1)


class PassageIndex:
    """Encodes a passage the first time somebody asks for it."""

    def __init__(self, encoder, corpus):
        self.encoder, self.corpus = encoder, corpus
        self._vec = {}
        self.hits = self.misses = 0

    def _encode_missing(self, pids):
        todo = [p for p in pids if p not in self._vec]
        self.misses += len(todo)
        self.hits += len(pids) - len(todo)
        if todo:
            fresh = self.encoder([self.corpus.passages[p] for p in todo])
            self._vec.update(zip(todo, fresh))  # <- culprit

    def lookup(self, pids):
        self._encode_missing(pids)
        return torch.stack([self._vec[p] for p in pids])  # <- culprit


class Retriever(nn.Module):
    def __init__(self, corpus):
        super().__init__()
        self.question = Encoder()
        self.passage = Encoder()
        self.index = PassageIndex(self.passage, corpus)

    def forward(self, questions, pids):
        sims = self.question(questions) @ self.index.lookup(pids).T
        return F.cross_entropy(sims / 0.1, torch.arange(len(pids)))


def main():
    torch.manual_seed(0)
    corpus = Corpus()
    retriever = Retriever(corpus)
    opt = torch.optim.Adam(retriever.parameters(), lr=3e-3)
    for step, (questions, pids) in enumerate(corpus.pairs(size=16, batches=120)):
        loss = retriever(questions, pids)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step {step:3d} loss {loss.item():.3f} encoded {retriever.index.misses}")


if __name__ == "__main__":
    main()
