# gradwatch-corpus: kind=graph-chain
# holder: self.memory | memory.memory | self.bank.memory | scorer.bank.memory
# first-bad: 1
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class TransferBatch:
    src: torch.Tensor
    dst: torch.Tensor
    attrs: torch.Tensor
    is_fraud: torch.Tensor


def transfers(n_accounts: int, n_batches: int, size: int = 48) -> Iterator[TransferBatch]:
    mules = torch.rand(n_accounts) < 0.1
    for _ in range(n_batches):
        src = torch.randint(0, n_accounts, (size,))
        dst = torch.randint(0, n_accounts, (size,))
        attrs = torch.randn(size, 8)
        label = (mules[src] | mules[dst]).float()
        attrs[:, 0] += label
        yield TransferBatch(src, dst, attrs, label)


class AccountMemory(nn.Module):
    def __init__(self, n_accounts: int, attr_dim: int, mem_dim: int, decay: float = 0.9):
        super().__init__()
        self.message = nn.Linear(attr_dim, mem_dim)
        self.decay = decay
        self.register_buffer("memory", torch.zeros(n_accounts, mem_dim), persistent=False)

    def read(self, idx: torch.Tensor) -> torch.Tensor:
        return self.memory[idx]

    def write(self, batch: TransferBatch) -> None:
        msg = torch.tanh(self.message(batch.attrs))
        incoming = torch.zeros_like(self.memory)
        incoming = incoming.index_add(0, batch.src, msg)
        incoming = incoming.index_add(0, batch.dst, msg)
        self.memory = self.decay * self.memory + (1.0 - self.decay) * incoming  # <- culprit


class FraudScorer(nn.Module):
    def __init__(self, n_accounts: int):
        super().__init__()
        self.bank = AccountMemory(n_accounts, 8, 16)
        self.head = nn.Sequential(nn.Linear(16 * 2 + 8, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, batch: TransferBatch) -> torch.Tensor:
        pair = torch.cat([self.bank.read(batch.src), self.bank.read(batch.dst), batch.attrs], dim=-1)
        return self.head(pair).squeeze(-1)


def main() -> None:
    torch.manual_seed(1201)
    n_accounts = 150
    scorer = FraudScorer(n_accounts)
    optimizer = torch.optim.AdamW(scorer.parameters(), lr=2e-3)
    pos_weight = torch.tensor(3.0)
    hits = 0
    seen = 0
    for step, batch in enumerate(transfers(n_accounts, 100)):
        scorer.bank.write(batch)
        logits = scorer(batch)
        loss = F.binary_cross_entropy_with_logits(logits, batch.is_fraud, pos_weight=pos_weight)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(scorer.parameters(), 1.0)
        optimizer.step()
        hits += int(((logits > 0).float() == batch.is_fraud).sum())
        seen += len(batch.src)
        if step % 25 == 24:
            print(f"batch {step + 1:3d} bce {loss.item():.4f} acc {hits / seen:.3f}")


if __name__ == "__main__":
    main()
