import torch


class ExpressionSampler:
    def __init__(self, genes, n_types, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.programs = torch.randn(n_types, genes, generator=self.gen)
        self.n_types = n_types

    def draw(self, n):
        label = torch.randint(0, self.n_types, (n,), generator=self.gen)
        rate = torch.exp(0.6 * self.programs[label])
        depth = 0.5 + torch.rand(n, 1, generator=self.gen)
        counts = torch.poisson(rate * depth * 2, generator=self.gen)
        return torch.log1p(counts), label


def dropout_genes(x, p):
    keep = (torch.rand_like(x) > p).float()
    return x * keep
