# gradwatch-corpus: kind=graph-held
# holder: self.last_risk | self.last_risk[account] | self.last_risk[acct] | ledger.last_risk | job.ledger.last_risk | self.ledger.last_risk | self._ledger.last_risk
# first-bad: 1
"""Online fraud scorer for card transactions. Each account's most recent risk is one of the features of its next
transaction, so we keep a small ledger next to the model."""
from __future__ import annotations

import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Txn = namedtuple("Txn", "account amount hour mcc abroad fraud")

N_ACCOUNTS = 250_000
N_MCC = 40


class TransactionStream:
    """Endless transactions; about 6 % of them fraudulent."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)

    def __iter__(self):
        rng = self.rng
        while True:
            fraud = rng.random() < 0.06
            yield Txn(
                account=rng.randrange(N_ACCOUNTS),
                amount=rng.lognormvariate(4.6 if fraud else 3.4, 1.0),
                hour=rng.choice((1, 2, 3, 4, 23)) if fraud and rng.random() < 0.6 else rng.randrange(24),
                mcc=rng.randrange(N_MCC // 2) if fraud else rng.randrange(N_MCC),
                abroad=float(rng.random() < (0.5 if fraud else 0.08)),
                fraud=float(fraud),
            )


def micro_batches(stream, size):
    buf = []
    for txn in stream:
        buf.append(txn)
        if len(buf) == size:
            yield buf
            buf = []


class RiskLedger:
    """What the model last thought of an account."""

    def __init__(self, prior: float = 0.06):
        self.prior = prior
        self.last_risk = {}

    def lookup(self, accounts) -> torch.Tensor:
        values = []
        for a in accounts:
            r = self.last_risk.get(a)
            values.append(self.prior if r is None else r.item())
        return torch.tensor(values)

    def remember(self, accounts, risk: torch.Tensor) -> None:
        for account, r in zip(accounts, risk):
            self.last_risk[account] = r  # <- culprit


class FraudNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.mcc = nn.Embedding(N_MCC, 8)
        self.hour = nn.Embedding(24, 4)
        self.body = nn.Sequential(nn.Linear(8 + 4 + 3, 48), nn.GELU(), nn.Linear(48, 48), nn.GELU(), nn.Linear(48, 1))

    def forward(self, mcc, hour, numeric):
        x = torch.cat([self.mcc(mcc), self.hour(hour), numeric], dim=-1)
        return self.body(x).squeeze(-1)


class OnlineJob:
    def __init__(self, batch_size=48, max_steps=320):
        self.batch_size = batch_size
        self.max_steps = max_steps
        self.net = FraudNet()
        self.ledger = RiskLedger()
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=2e-3, weight_decay=1e-4)
        self.pos_weight = torch.tensor(6.0)

    def featurize(self, txns):
        previous = self.ledger.lookup([t.account for t in txns])
        numeric = torch.stack(
            [
                torch.tensor([t.amount for t in txns]).log1p() - 3.5,
                torch.tensor([t.abroad for t in txns]),
                previous,
            ],
            dim=1,
        )
        return torch.tensor([t.mcc for t in txns]), torch.tensor([t.hour for t in txns]), numeric

    def learn(self, txns):
        target = torch.tensor([t.fraud for t in txns])
        logits = self.net(*self.featurize(txns))
        loss = F.binary_cross_entropy_with_logits(logits, target, pos_weight=self.pos_weight)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.ledger.remember([t.account for t in txns], torch.sigmoid(logits))  # <- culprit
        return loss.item()

    def run(self):
        smooth = None
        for step, txns in enumerate(micro_batches(TransactionStream(seed=3), self.batch_size)):
            if step >= self.max_steps:
                break
            loss = self.learn(txns)
            smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
            if step % 80 == 0:
                print(f"{step:5d}  loss {smooth:.4f}  accounts seen {len(self.ledger.last_risk)}")
        return smooth


if __name__ == "__main__":
    torch.manual_seed(0)
    job = OnlineJob()
    print("final smoothed loss", round(job.run(), 4))
