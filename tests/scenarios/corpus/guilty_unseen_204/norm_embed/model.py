import torch
from torch import nn


class TripleScorer(nn.Module):
    def __init__(self, entities, relations, dim=16):
        super().__init__()
        self.entity = nn.Parameter(0.5 * torch.randn(entities, dim))
        self.relation = nn.Parameter(0.5 * torch.randn(relations, dim))
        self.mix = nn.Parameter(torch.eye(dim) + 0.01 * torch.randn(dim, dim))

    def constrained(self):
        yield self.mix

    def forward(self, head, rel, tail):
        moved = (self.entity[head] + self.relation[rel]) @ self.mix
        return (moved - self.entity[tail]).pow(2).sum(dim=1)


def triples(steps, entities, relations, size=32, seed=1):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        head = torch.randint(0, entities, (size,), generator=gen)
        rel = torch.randint(0, relations, (size,), generator=gen)
        corrupt = torch.randint(0, entities, (size,), generator=gen)
        yield head, rel, (head * 3 + rel) % entities, corrupt
