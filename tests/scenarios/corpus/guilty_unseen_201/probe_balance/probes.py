import torch
from torch import nn
from torch.nn import functional as F


class LinearProbes(nn.Module):
    def __init__(self, dim, tasks):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(dim, c) for c in tasks)

    def forward(self, x):
        return [h(x) for h in self.heads]

    def losses(self, logits, targets):
        return torch.stack([F.cross_entropy(z, t) for z, t in zip(logits, targets)])


def probe_data(n, dim, tasks):
    x = torch.randn(n, dim)
    targets = []
    for c in tasks:
        scores = x @ torch.randn(dim, c) + 2.0 * torch.randn(n, c)
        targets.append(scores.argmax(1))
    return x, targets
