# gradwatch-corpus: kind=graph-held
# holder: guard.incidents | self.incidents | self.guard.incidents | trainer.guard.incidents
# first-bad: 1
"""Tabular demand model with a batch guard that writes an incident list for the data team."""
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)
random.seed(11)


class SuspiciousBatch(Exception):
    def __init__(self, store, score):
        super().__init__(f"store {store}: residual score {score:.2f}")
        self.store = store
        self.score = score


class DemandNet(nn.Module):
    def __init__(self, n_stores=12, n_feat=9, width=32):
        super().__init__()
        self.store = nn.Embedding(n_stores, 8)
        self.body = nn.Sequential(nn.Linear(n_feat + 8, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 1)

    def forward(self, store, feats):
        z = torch.cat([self.store(store), feats], dim=-1)
        return self.out(self.body(z)).squeeze(-1)


class BatchGuard:
    """Robust z-score of the residuals; batches above the limit are reported."""

    def __init__(self, limit=2.0):
        self.limit = limit
        self.incidents = []

    def inspect(self, store, residual):
        spread = residual.abs().median() + 1e-6
        score = (residual.abs().max() / spread).item()
        if score > self.limit:
            raise SuspiciousBatch(store, score)

    def report(self):
        worst = sorted(self.incidents, key=lambda e: -e.score)[:3]
        return "; ".join(str(e) for e in worst)


class Trainer:
    def __init__(self, model, guard, lr=3e-3):
        self.model = model
        self.guard = guard
        self.optim = torch.optim.AdamW(model.parameters(), lr=lr)

    def loss_for(self, batch):
        store, feats, demand = batch
        prediction = self.model(store, feats)
        residual = prediction - demand
        weight = 1.0
        try:
            self.guard.inspect(int(store[0]), residual)
        except SuspiciousBatch as exc:
            self.guard.incidents.append(exc)  # <- culprit
            weight = 0.25
        return weight * nn.functional.huber_loss(residual, torch.zeros_like(residual))

    def fit(self, batches):
        seen = []
        for step, batch in enumerate(batches):
            loss = self.loss_for(batch)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            seen.append(loss.item())
            if step % 30 == 0:
                print(f"step {step:3d} huber {sum(seen[-10:]) / len(seen[-10:]):.4f} "
                      f"incidents {len(self.guard.incidents)}")


def stores(count, size=24):
    for i in range(count):
        store = torch.full((size,), i % 12)
        feats = torch.randn(size, 9)
        demand = feats[:, :3].sum(-1) + 0.3 * torch.randn(size) + 0.1 * store
        if random.random() < 0.3:
            demand[0] += 9.0
        yield store, feats, demand


def main():
    guard = BatchGuard()
    trainer = Trainer(DemandNet(), guard)
    trainer.fit(stores(120))
    print("to the data team:", guard.report())


if __name__ == "__main__":
    main()
