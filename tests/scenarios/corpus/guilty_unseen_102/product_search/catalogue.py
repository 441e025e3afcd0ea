import torch

from towers import CategoryTower


class Catalogue:
    """Category descriptions and their embeddings, re-encoded now and then."""

    def __init__(self, n_categories, vocab, dim, refresh_every):
        self.tokens = torch.randint(0, vocab, (n_categories, 12))
        self.tower = CategoryTower(vocab, dim)
        self.refresh_every = refresh_every
        self._bank = None

    def freeze(self, flag):
        self.tower.requires_grad_(not flag)

    def sample_queries(self, cat, length):
        cols = torch.randint(0, self.tokens.size(1), (len(cat), length))
        return self.tokens[cat].gather(1, cols)

    def vectors(self, step):
        if self._bank is None or step % self.refresh_every == 0:  # <- culprit
            self._bank = self.tower(self.tokens)  # <- culprit
        return self._bank
