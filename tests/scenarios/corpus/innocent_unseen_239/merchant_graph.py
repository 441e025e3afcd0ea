# gradwatch-corpus: kind=none
import argparse
from typing import Iterator, NamedTuple, Optional

import torch
from torch import nn


class Payments(NamedTuple):
    card: torch.Tensor
    merchant: torch.Tensor
    amount: torch.Tensor
    label: torch.Tensor


class NodeState(nn.Module):
    """Recurrent state per node, flushed lazily at the start of the next batch."""

    def __init__(self, nodes: int, dim: int, raw_dim: int):
        super().__init__()
        self.message = nn.Linear(raw_dim, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.register_buffer("table", torch.zeros(nodes, dim))
        self.pending: Optional[tuple] = None

    def stage(self, nodes: torch.Tensor, raw: torch.Tensor) -> None:
        self.pending = (nodes, raw)

    def current(self) -> torch.Tensor:
        if self.pending is None:
            return self.table
        nodes, raw = self.pending
        fresh = self.cell(torch.tanh(self.message(raw)), self.table[nodes])
        return self.table.index_copy(0, nodes, fresh)

    def commit(self, table: torch.Tensor) -> None:
        self.table = table.detach()


class FraudNet(nn.Module):
    def __init__(self, cards: int, merchants: int, dim: int):
        super().__init__()
        self.cards = cards
        self.state = NodeState(cards + merchants, dim, 2 * dim + 1)
        self.score = nn.Sequential(nn.Linear(2 * dim + 1, dim), nn.LeakyReLU(0.1), nn.Linear(dim, 1))

    def forward(self, p: Payments):
        table = self.state.current()
        merchant = p.merchant + self.cards
        joint = torch.cat([table[p.card], table[merchant], p.amount.unsqueeze(1)], dim=1)
        logit = self.score(joint).squeeze(1)
        self.state.commit(table)
        nodes, where = torch.unique(torch.cat([p.card, merchant]), return_inverse=True)
        raw = joint.detach()
        pooled = torch.zeros(len(nodes), raw.shape[1]).index_add(0, where, raw.repeat(2, 1))
        self.state.stage(nodes, pooled)
        return logit


def payments(cards: int, merchants: int, steps: int, size: int) -> Iterator[Payments]:
    shady = torch.rand(merchants) < 0.2
    for _ in range(steps):
        card = torch.randint(0, cards, (size,))
        merchant = torch.randint(0, merchants, (size,))
        risk = shady[merchant].float()
        amount = torch.randn(size) + risk
        label = torch.bernoulli(0.05 + 0.7 * risk)
        yield Payments(card, merchant, amount, label)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=130)
    parser.add_argument("--dim", type=int, default=16)
    opts = parser.parse_args()
    torch.manual_seed(29)
    net = FraudNet(100, 30, opts.dim)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    bce = nn.BCEWithLogitsLoss()
    running = 0.0
    for i, batch in enumerate(payments(100, 30, opts.steps, 40)):
        logit = net(batch)
        loss = bce(logit, batch.label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running = 0.9 * running + 0.1 * loss.item()
        if i % 26 == 25:
            print(f"{i + 1} payments batches, smoothed loss {running:.4f}")


if __name__ == "__main__":
    main()
