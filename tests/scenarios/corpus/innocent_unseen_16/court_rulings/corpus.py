import torch


class Rulings:
    vocab, length, chambers = 120, 24, 3

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.lean = torch.randn(self.vocab, generator=self.gen)

    def batch(self, n):
        chamber = torch.randint(self.chambers, (n,), generator=self.gen)
        tokens = torch.randint(self.vocab, (n, self.length), generator=self.gen)
        style = torch.rand(n, self.length, generator=self.gen) < 0.2
        tokens = torch.where(style, chamber[:, None] * 5 + tokens % 5, tokens)
        outcome = (self.lean[tokens].sum(1) > 0).long()
        return tokens, outcome, chamber

    def __iter__(self):
        while True:
            yield self.batch(24)
