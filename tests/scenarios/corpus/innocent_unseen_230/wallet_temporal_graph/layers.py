from __future__ import annotations

import torch
from torch import Tensor, nn

from stream import Transfers


class TemporalMemory(nn.Module):
    """Per-wallet memory; messages of a batch are applied when the next one arrives."""

    memory: Tensor

    def __init__(self, wallets: int, dim: int, message_dim: int) -> None:
        super().__init__()
        self.register_buffer("memory", torch.zeros(wallets, dim))
        self.encode = nn.Linear(2 * dim + message_dim, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.base = nn.Embedding(wallets, dim)
        self.pending: Transfers | None = None

    def refresh(self) -> Tensor:
        if self.pending is None:
            return self.memory + self.base.weight
        batch = self.pending
        pair = torch.cat([self.memory[batch.source], self.memory[batch.target], batch.attributes], dim=1)
        message = torch.tanh(self.encode(pair))
        updated = self.cell(message, self.memory[batch.target])
        self.memory = self.memory.index_copy(0, batch.target, updated)
        return self.memory + self.base.weight

    def commit(self, state: Tensor) -> None:
        self.memory = self.memory.detach()
        self.norm = float(state.detach().norm(dim=1).mean())

    def enqueue(self, transfers: Transfers) -> None:
        self.pending = transfers


class LinkHead(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return self.mlp(torch.cat([a, b], dim=1)).squeeze(1)
