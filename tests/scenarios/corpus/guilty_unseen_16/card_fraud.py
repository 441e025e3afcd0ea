# gradwatch-corpus: kind=graph-held
# holder: self.cases | self.memory.cases | trainer.memory.cases | memory.cases | self.cases[key] | self.cases[key].score | case.score | trainer.memory | self.memory
# first-bad: 1
"""Card-not-present fraud scorer trained on a transaction stream, with a memory of the cases the
model got most wrong, from which every batch is topped up."""
import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Settings:
    steps: int = 300
    fresh: int = 48
    replayed: int = 16
    keep_per_step: int = 4
    lr: float = 3e-3
    features: int = 14
    seed: int = 4


@dataclass(order=False)
class Case:
    features: torch.Tensor
    label: torch.Tensor
    score: torch.Tensor
    replays: int = 0


class TransactionStream:
    def __init__(self, cfg):
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.cfg = cfg
        self.next_id = 0
        self.direction = torch.randn(cfg.features, generator=self.gen)

    def take(self, n):
        x = torch.randn(n, self.cfg.features, generator=self.gen)
        risk = x @ self.direction + 1.5 * x[:, 0] * x[:, 1] - 4.0
        y = (torch.rand(n, generator=self.gen) < torch.sigmoid(risk)).float()
        ids = list(range(self.next_id, self.next_id + n))
        self.next_id += n
        return ids, x, y


class CaseMemory:
    """Missed and falsely declined transactions, by transaction id."""

    def __init__(self, rng):
        self.cases = {}
        self.rng = rng

    def __len__(self):
        return len(self.cases)

    def remember(self, ids, x, y, per_case, k):
        worst = torch.topk(per_case, k).indices.tolist()
        for row in worst:
            key = ids[row]
            self.cases[key] = Case(x[row].clone(), y[row].clone(), per_case[row])  # <- culprit

    def recall(self, n):
        n = min(n, len(self.cases))
        keys = list(self.cases)
        weights = [float(self.cases[k].score) / (1 + self.cases[k].replays) for k in keys]
        chosen = self.rng.choices(keys, weights=weights, k=n)
        for k in chosen:
            self.cases[k].replays += 1
        return (torch.stack([self.cases[k].features for k in chosen]),
                torch.stack([self.cases[k].label for k in chosen]))


class FraudTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.stream = TransactionStream(cfg)
        self.memory = CaseMemory(random.Random(cfg.seed))
        self.model = nn.Sequential(
            nn.Linear(cfg.features, 48), nn.SiLU(),
            nn.Linear(48, 48), nn.SiLU(),
            nn.Linear(48, 1),
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr, weight_decay=1e-3)
        self.smoothed = None

    def assemble(self):
        ids, x, y = self.stream.take(self.cfg.fresh)
        if len(self.memory):
            old_x, old_y = self.memory.recall(self.cfg.replayed)
            x, y = torch.cat([x, old_x]), torch.cat([y, old_y])
        return ids, x, y

    def step(self):
        ids, x, y = self.assemble()
        logits = self.model(x).squeeze(1)
        per_case = F.binary_cross_entropy_with_logits(logits, y, reduction="none")
        loss = per_case.mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        fresh = len(ids)
        self.memory.remember(ids, x[:fresh], y[:fresh], per_case[:fresh], self.cfg.keep_per_step)  # <- culprit
        return loss.item()

    def run(self):
        for i in range(self.cfg.steps):
            value = self.step()
            self.smoothed = value if self.smoothed is None else 0.95 * self.smoothed + 0.05 * value
            if (i + 1) % 75 == 0:
                print(f"{i + 1:4d}  loss {self.smoothed:.4f}  memory {len(self.memory)}  "
                      f"recall@0.5 {self.recall_on_new():.3f}")

    @torch.no_grad()
    def recall_on_new(self):
        _, x, y = self.stream.take(512)
        hit = torch.sigmoid(self.model(x).squeeze(1)) > 0.5
        return (hit & (y > 0.5)).sum().item() / max(y.sum().item(), 1.0)


if __name__ == "__main__":
    torch.manual_seed(4)
    torch.set_num_threads(1)
    trainer = FraudTrainer(Settings())
    trainer.run()
