from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn


class ClauseMixer(nn.Module):
    def __init__(self, vocab: int = 400, dim: int = 40, length: int = 20, classes: int = 5) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.across = nn.Linear(length, length)
        self.within = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.head = nn.Linear(dim, classes)

    def forward(self, tokens: Tensor) -> Tensor:
        h = self.embed(tokens)
        h = h + self.across(h.transpose(1, 2)).transpose(1, 2)
        h = h + self.within(h)
        return self.head(h.mean(1))


def clause_batches(size: int, vocab: int = 400, length: int = 20, classes: int = 5) -> Iterator[tuple[Tensor, Tensor]]:
    weight = torch.randn(vocab, classes)
    while True:
        tokens = torch.randint(vocab, (size, length))
        yield tokens, weight[tokens].sum(1).argmax(-1)
