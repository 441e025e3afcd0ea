import torch


class PairedWorld:
    def __init__(self, n_cls, dim=20, vocab=40, length=6):
        self.dim, self.vocab, self.n_cls = dim, vocab, n_cls
        self.descriptions = torch.randint(0, vocab, (n_cls, length))
        self.means = torch.randn(n_cls, dim)

    def batch(self, n):
        y = torch.randint(0, self.n_cls, (n,))
        return self.means[y] + 0.7 * torch.randn(n, self.dim), y
