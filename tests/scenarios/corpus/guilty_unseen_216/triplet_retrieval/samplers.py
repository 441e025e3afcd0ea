import torch


def make_shapes(n, classes, dim):
    g = torch.Generator().manual_seed(2)
    proto = torch.randn(classes, dim, generator=g)
    y = torch.arange(n) % classes
    x = proto[y] + 0.9 * torch.randn(n, dim, generator=g)
    return x, y


class PKSampler:
    def __init__(self, x, y, p, k, iters):
        self.x, self.y, self.p, self.k, self.iters = x, y, p, k, iters
        self.by_class = [torch.nonzero(y == c).flatten() for c in y.unique()]

    def __len__(self):
        return self.iters

    def __iter__(self):
        for _ in range(self.iters):
            cls = torch.randperm(len(self.by_class))[: self.p].tolist()
            idx = torch.cat([self.by_class[c][torch.randperm(len(self.by_class[c]))[: self.k]] for c in cls])
            yield self.x[idx], self.y[idx]
