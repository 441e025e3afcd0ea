"""Clusters standing in for leaf descriptors; one third of them carries a label."""
from types import SimpleNamespace

import torch


class LeafLoader:
    def __init__(self, n, classes, features, batch):
        centre = 2 * torch.randn(classes, features)
        self.y = torch.randint(classes, (n,))
        self.x = centre[self.y] + torch.randn(n, features)
        self.batch = batch

    def __iter__(self):
        for idx in torch.randperm(len(self.x)).split(self.batch):
            x = self.x[idx]
            labelled = torch.arange(len(idx)) < len(idx) // 3
            yield SimpleNamespace(x=x + 0.3 * torch.randn_like(x), x_weak=x + 0.05 * torch.randn_like(x),
                                  y=self.y[idx], labelled=labelled)
