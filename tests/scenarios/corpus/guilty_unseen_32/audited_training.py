# gradwatch-corpus: kind=graph-held
# holder: self.incidents | session.incidents | incidents
# first-bad: 1
# notice: 20
"""Fraud scorer with a per-batch audit; incidents are collected for a closing summary."""
from collections import Counter
from dataclasses import dataclass, field

import torch
from torch import nn


class AuditError(Exception):
    def __init__(self, rule, value):
        super().__init__(f"{rule}: {value:.3f}")
        self.rule = rule
        self.value = value


@dataclass
class AuditRules:
    max_overconfident: float = 0.1
    max_gap: float = 0.12

    def check(self, probs, labels):
        gap = (probs.mean() - labels.mean()).abs().item()
        if gap > self.max_gap:
            raise AuditError("base-rate gap", gap)
        wrong = ((probs > 0.5).float() != labels) & ((probs - 0.5).abs() > 0.25)
        share = wrong.float().mean().item()
        if share > self.max_overconfident:
            raise AuditError("overconfident mistakes", share)


@dataclass
class Session:
    model: nn.Module
    rules: AuditRules = field(default_factory=AuditRules)
    incidents: list = field(default_factory=list)
    lr: float = 5e-3

    def __post_init__(self):
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=self.lr)
        self.criterion = nn.BCEWithLogitsLoss()

    def one_batch(self, x, y):
        logits = self.model(x).squeeze(1)
        loss = self.criterion(logits, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.rules.check(torch.sigmoid(logits.detach()), y)
        return loss.item()

    def fit(self, batches):
        clean = []
        for number, (x, y) in enumerate(batches):
            try:
                clean.append(self.one_batch(x, y))
            except AuditError as err:
                self.incidents.append((number, err))  # <- culprit
        return clean

    def summary(self):
        by_rule = Counter(err.rule for _, err in self.incidents)
        worst = max((err for _, err in self.incidents), key=lambda e: e.value, default=None)
        return by_rule, worst


def transactions(n_batches, size=48, dim=12):
    gen = torch.Generator().manual_seed(13)
    w = torch.randn(dim, generator=gen)
    for _ in range(n_batches):
        x = torch.randn(size, dim, generator=gen)
        score = x @ w + 0.4 * (x[:, 0] * x[:, 1]) - 1.0
        y = (score + 2.5 * torch.randn(size, generator=gen) > 0).float()
        yield x, y


def build(dim=12):
    return nn.Sequential(
        nn.Linear(dim, 64), nn.ELU(),
        nn.Linear(64, 32), nn.ELU(),
        nn.Linear(32, 1),
    )


def main():
    torch.manual_seed(4)
    session = Session(build())
    clean = session.fit(transactions(180))
    rules, worst = session.summary()
    print(f"{len(clean)} clean batches, {len(session.incidents)} incidents")
    for rule, n in rules.most_common():
        print(f"  {rule:<24} {n}")
    if worst is not None:
        print("  worst:", worst)
    if clean:
        print(f"  mean loss of last clean batches: {sum(clean[-20:]) / len(clean[-20:]):.4f}")


if __name__ == "__main__":
    main()
