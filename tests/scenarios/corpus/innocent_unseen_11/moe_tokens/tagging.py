import torch


class TagSource:
    """A tag depends on the middle token and on whether the sum of its neighbours is large."""

    def __init__(self, vocab, tags, context, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.vocab, self.tags, self.context = vocab, tags, context
        self.table = torch.randint(0, tags, (2, vocab), generator=self.gen)

    def batch(self, n):
        grams = torch.randint(0, self.vocab, (n, self.context), generator=self.gen)
        around = (grams.sum(1) - grams[:, self.context // 2]) // self.vocab % 2
        return grams, self.table[around, grams[:, self.context // 2]]
