import random

import torch


class NegativeMiner:
    """Remembers where each writer lies in the embedding space."""

    def __init__(self, n_writers, explore=0.2):
        self.n_writers = n_writers
        self.explore = explore
        self.bank = {}

    def update(self, writers, embeddings):
        for w, e in zip(writers, embeddings):
            self.bank[w] = e  # <- culprit

    def _any_other(self, writer):
        other = random.randrange(self.n_writers - 1)
        return other if other < writer else other + 1

    @torch.no_grad()
    def hardest(self, writer):
        others = [w for w in self.bank if w != writer]
        if writer not in self.bank or not others or random.random() < self.explore:
            return self._any_other(writer)
        stacked = torch.stack([self.bank[w] for w in others])
        dist = (stacked - self.bank[writer]).pow(2).sum(1)
        return others[dist.argmin().item()]
