"""Neighbourhood smoothing of the embedding table.

Smoothing the whole table costs far more than scoring one batch, so its result is shared by
several batches once the embeddings have settled.
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class RefreshPolicy:
    """Refresh every step during warm-up, afterwards every `interval` steps."""

    warmup: int
    interval: int

    def due(self, step: int) -> bool:
        return step < self.warmup or step % self.interval == 0


class Propagation(nn.Module):
    def __init__(self, adjacency: torch.Tensor, n_hops: int, policy: RefreshPolicy):
        super().__init__()
        self.register_buffer("adjacency", adjacency, persistent=False)
        self.n_hops, self.policy = n_hops, policy
        self.hop_weight = nn.Parameter(torch.zeros(n_hops + 1))
        self.table = None

    def tick(self, step: int) -> None:
        if self.policy.due(step):
            self.table = None

    def forward(self, embedding: torch.Tensor) -> torch.Tensor:
        if self.table is None:  # <- culprit
            layers = [embedding]
            for _ in range(self.n_hops):
                layers.append(self.adjacency @ layers[-1])
            mix = torch.softmax(self.hop_weight, 0)
            self.table = sum(w * layer for w, layer in zip(mix, layers))  # <- culprit
        return self.table  # <- culprit
