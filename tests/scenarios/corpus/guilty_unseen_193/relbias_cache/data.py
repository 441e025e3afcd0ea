import torch


class BucketSampler:
    """Sentences are grouped by length; each bucket is visited in turn."""

    def __init__(self, lengths=(6, 9, 12, 15), batch=16, vocab=40, tags=6, seed=1):
        self.lengths, self.batch, self.vocab, self.tags = lengths, batch, vocab, tags
        self.g = torch.Generator().manual_seed(seed)
        self.turn = 0

    def __iter__(self):
        return self

    def __next__(self):
        n = self.lengths[self.turn % len(self.lengths)]
        self.turn += 1
        ids = torch.randint(self.vocab, (self.batch, n), generator=self.g)
        prev = ids.roll(1, dims=1)
        return ids, (ids + prev) % self.tags
