import torch


class KFold:
    def __init__(self, n):
        self.n = n

    def split(self, size):
        parts = torch.randperm(size).chunk(self.n)
        for k in range(self.n):
            yield torch.cat([p for j, p in enumerate(parts) if j != k]), parts[k]


class Scaler:
    def fit(self, x):
        self.m, self.s = x.mean(0), x.std(0) + 1e-6
        return self

    def __call__(self, x):
        return (x - self.m) / self.s
