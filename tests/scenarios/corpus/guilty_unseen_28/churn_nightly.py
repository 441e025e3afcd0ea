# gradwatch-corpus: kind=graph-unused
# first-bad: 20
# notice: 60
# after: forum "Validation uses much more memory than training: model.eval() without torch.no_grad()"
"""Nightly retraining of the churn model (internal). Trains on last month's accounts, validates each epoch."""
from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field

import torch
from torch import Tensor, nn

logger = logging.getLogger("churn")


@dataclass
class ModelSpec:
    n_numeric: int = 24
    cardinalities: tuple[int, ...] = (12, 40, 7, 90)
    emb_dim: int = 6
    hidden: int = 64
    dropout: float = 0.1


@dataclass
class JobSpec:
    model: ModelSpec = field(default_factory=ModelSpec)
    epochs: int = 6
    batch_size: int = 128
    train_rows: int = 20 * 128
    valid_rows: int = 24 * 128
    lr: float = 2e-3
    patience: int = 4


class AccountTable:
    """Columns in memory, batches by slices."""

    def __init__(self, n: int, spec: ModelSpec, seed: int) -> None:
        g = torch.Generator().manual_seed(seed)
        self.numeric = torch.randn(n, spec.n_numeric, generator=g)
        self.categorical = torch.stack([torch.randint(0, c, (n,), generator=g) for c in spec.cardinalities], 1)
        score = self.numeric[:, :5].sum(1) * 0.5 + (self.categorical[:, 0] % 3 - 1) - 0.5
        self.churned = (torch.rand(n, generator=g) < torch.sigmoid(score)).float()

    def batches(self, size: int, shuffle: bool = False):
        order = torch.randperm(len(self.churned)) if shuffle else torch.arange(len(self.churned))
        for rows in order.split(size):
            yield self.numeric[rows], self.categorical[rows], self.churned[rows]


class ChurnModel(nn.Module):
    def __init__(self, spec: ModelSpec) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, spec.emb_dim) for c in spec.cardinalities)
        width = spec.n_numeric + spec.emb_dim * len(spec.cardinalities)
        self.mlp = nn.Sequential(
            nn.Linear(width, spec.hidden), nn.GELU(), nn.Dropout(spec.dropout),
            nn.Linear(spec.hidden, spec.hidden), nn.GELU(), nn.Linear(spec.hidden, 1),
        )

    def forward(self, numeric: Tensor, categorical: Tensor) -> Tensor:
        parts = [e(c) for e, c in zip(self.embeddings, categorical.unbind(1))]
        return self.mlp(torch.cat([numeric, *parts], dim=1)).squeeze(1)


def train_epoch(model, table, job, optimizer, criterion) -> float:
    model.train()
    total = 0.0
    for numeric, categorical, churned in table.batches(job.batch_size, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(numeric, categorical), churned)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(churned)
    return total / job.train_rows


def validate(model, table, job, criterion) -> dict[str, float]:
    model.eval()
    total, hits = 0.0, 0
    for numeric, categorical, churned in table.batches(job.batch_size):
        logits = model(numeric, categorical)  # <- culprit
        total += criterion(logits, churned).item() * len(churned)
        hits += ((logits > 0) == churned.bool()).sum().item()
    return {"loss": total / job.valid_rows, "accuracy": hits / job.valid_rows}


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    job = JobSpec()
    logger.info("job %s", json.dumps(asdict(job)))
    torch.manual_seed(17)
    train_table = AccountTable(job.train_rows, job.model, seed=1)
    valid_table = AccountTable(job.valid_rows, job.model, seed=2)
    model = ChurnModel(job.model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=job.lr)
    criterion = nn.BCEWithLogitsLoss()
    best, bad = float("inf"), 0
    for epoch in range(job.epochs):
        train_loss = train_epoch(model, train_table, job, optimizer, criterion)
        valid = validate(model, valid_table, job, criterion)
        logger.info("epoch %d train %.4f valid %.4f acc %.3f", epoch, train_loss, valid["loss"], valid["accuracy"])
        best, bad = (valid["loss"], 0) if valid["loss"] < best else (best, bad + 1)
        if bad >= job.patience:
            logger.info("early stop")
            break


if __name__ == "__main__":
    main()
