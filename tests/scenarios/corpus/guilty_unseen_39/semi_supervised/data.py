import math

import torch


def moons(n, noise=0.12):
    t = torch.rand(n) * math.pi
    y = torch.randint(0, 2, (n,))
    x0 = torch.stack([t.cos(), t.sin()], 1)
    x1 = torch.stack([1 - t.cos(), 0.5 - t.sin()], 1)
    x = torch.where(y[:, None] == 0, x0, x1)
    return x + noise * torch.randn(n, 2), y


class TwoMoons:
    def __init__(self, n_labeled, n_unlabeled, n_test=400):
        self.xl, self.yl = moons(n_labeled)
        self.xu, _ = moons(n_unlabeled)
        self.xt, self.yt = moons(n_test)

    def labeled(self):
        return self.xl, self.yl

    def unlabeled(self, n):
        idx = torch.randint(0, len(self.xu), (n,))
        return self.xu[idx]

    def test(self):
        return self.xt, self.yt
