# gradwatch-corpus: kind=graph-held
# holder: self.smoothed["loss"] | tracker.smoothed["loss"] | self.tracker.smoothed["loss"] | trainer.tracker.smoothed["loss"]
# first-bad: 1
"""Credit default on tabular rows: embeddings for categoricals plus a gated residual MLP."""
from __future__ import annotations

import dataclasses
from typing import Sequence

import torch
from torch import Tensor, nn


@dataclasses.dataclass
class TabularSpec:
    cardinalities: Sequence[int] = (12, 7, 31)
    numeric: int = 10
    embed: int = 8
    width: int = 64
    blocks: int = 2


class GatedBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.value = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        z = self.norm(x)
        return x + self.value(z) * torch.sigmoid(self.gate(z))


class TabularNet(nn.Module):
    def __init__(self, spec: TabularSpec) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, spec.embed) for c in spec.cardinalities)
        entry = spec.embed * len(spec.cardinalities) + spec.numeric
        self.stem = nn.Linear(entry, spec.width)
        self.body = nn.Sequential(*(GatedBlock(spec.width) for _ in range(spec.blocks)))
        self.head = nn.Linear(spec.width, 1)

    def forward(self, cats: Tensor, nums: Tensor) -> Tensor:
        looked_up = [table(cats[:, i]) for i, table in enumerate(self.tables)]
        h = self.stem(torch.cat([*looked_up, nums], dim=1))
        return self.head(self.body(h)).squeeze(1)


class SmoothedMetrics:
    """Exponentially smoothed scalars, bias-corrected like Adam's moments."""

    def __init__(self, decay: float = 0.95) -> None:
        self.decay = decay
        self.smoothed: dict[str, Tensor | float] = {}
        self.counts: dict[str, int] = {}

    def update(self, **values: Tensor | float) -> None:
        for name, value in values.items():
            previous = self.smoothed.get(name, 0.0)
            self.smoothed[name] = self.decay * previous + (1 - self.decay) * value  # <- culprit
            self.counts[name] = self.counts.get(name, 0) + 1

    def __getitem__(self, name: str) -> float:
        correction = 1 - self.decay ** self.counts[name]
        return float(self.smoothed[name]) / correction

    def __format__(self, spec: str) -> str:
        return "  ".join(f"{name}: {self[name]:{spec or '.3f'}}" for name in self.smoothed)


class Trainer:
    def __init__(self, model: nn.Module, *, lr: float, pos_weight: float) -> None:
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-3)
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(pos_weight))
        self.tracker = SmoothedMetrics()

    def training_step(self, cats: Tensor, nums: Tensor, target: Tensor) -> None:
        logits = self.model(cats, nums)
        loss = self.criterion(logits, target)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        hits = ((logits > 0) == target.bool()).float().mean()
        self.tracker.update(loss=loss, accuracy=hits)  # <- culprit


def make_rows(n: int, spec: TabularSpec) -> tuple[Tensor, Tensor, Tensor]:
    cats = torch.stack([torch.randint(0, c, (n,)) for c in spec.cardinalities], dim=1)
    nums = torch.randn(n, spec.numeric)
    risk = nums[:, 0] * 0.8 - nums[:, 3] + (cats[:, 0] % 3 == 0).float()
    return cats, nums, (risk > 0.9).float()


def main() -> None:
    torch.manual_seed(1234)
    spec = TabularSpec()
    cats, nums, target = make_rows(4000, spec)
    trainer = Trainer(TabularNet(spec), lr=2e-3, pos_weight=2.0)
    step = 0
    for epoch in range(4):
        for rows in torch.randperm(len(target)).split(128):
            trainer.training_step(cats[rows], nums[rows], target[rows])
            step += 1
        print(f"epoch {epoch} step {step}  {trainer.tracker:.4f}")


if __name__ == "__main__":
    main()
