import torch
from torch.nn import functional as F


class Session:
    def __init__(self, tagger, capture):
        self.tagger, self.capture = tagger, capture
        self.opt = torch.optim.AdamW(tagger.parameters(), lr=3e-3)
        self.activity = []

    def _batch(self):
        ids = torch.randint(self.tagger.vocab, (4, 8))
        return ids, (ids + ids.roll(1, 1)) % self.tagger.tags

    def _objective(self, ids, tags):
        with self.capture:
            logits = self.tagger(ids)
        penalties = self.capture.drain()
        self.activity = [p.item() for p in penalties]
        return F.cross_entropy(logits.flatten(0, 1), tags.flatten()) + 1e-3 * sum(penalties)

    def run(self, n):
        for _ in range(n):
            objective = self._objective(*self._batch())
            self.opt.zero_grad()
            objective.backward()
            self.opt.step()
