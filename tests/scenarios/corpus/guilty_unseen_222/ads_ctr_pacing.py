# gradwatch-corpus: kind=graph-held
# holder: self.ema_loss | self.meters["train/bce"].ema_loss | meters.meters["train/bce"].ema_loss
# first-bad: 1
"""Click-through ranking with hashed categorical fields and a metrics registry."""
from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional, Union

import torch
from torch import Tensor, nn
import torch.nn.functional as F

logger = logging.getLogger("ctr")
Number = Union[float, Tensor]


@dataclass
class Impression:
    fields: Tensor
    dense: Tensor
    click: Tensor


class SmoothedMeter:
    def __init__(self, beta: float = 0.95) -> None:
        self.beta = beta
        self.ema_loss: Optional[Number] = None
        self.count = 0

    def update(self, value: Number) -> None:
        self.count += 1
        if self.ema_loss is None:
            self.ema_loss = value
        else:
            self.ema_loss = self.beta * self.ema_loss + (1 - self.beta) * value  # <- culprit

    def __format__(self, spec: str) -> str:
        return format(float(self.ema_loss or 0.0), spec)


class MeterRegistry:
    def __init__(self) -> None:
        self.meters: dict[str, SmoothedMeter] = {}

    def log(self, name: str, value: Number) -> None:
        self.meters.setdefault(name, SmoothedMeter()).update(value)

    def summary(self) -> str:
        return "  ".join(f"{k}={m:.4f}" for k, m in sorted(self.meters.items()))


class FactorizedRanker(nn.Module):
    def __init__(self, buckets: int, n_fields: int, dense: int, dim: int = 12) -> None:
        super().__init__()
        self.emb = nn.Embedding(buckets, dim)
        self.bias = nn.Embedding(buckets, 1)
        self.mlp = nn.Sequential(nn.Linear(n_fields * dim + dense, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, batch: Impression) -> Tensor:
        v = self.emb(batch.fields)
        pairwise = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        deep = self.mlp(torch.cat([v.flatten(1), batch.dense], dim=-1)).squeeze(-1)
        return self.bias(batch.fields).sum((1, 2)) + pairwise + deep


def traffic(steps: int, batch: int, buckets: int, n_fields: int) -> Iterator[Impression]:
    affinity = torch.randn(buckets) * 0.7
    for _ in range(steps):
        fields = torch.randint(buckets, (batch, n_fields))
        dense = torch.rand(batch, 5)
        logit = affinity[fields].sum(-1) - 1.0 + dense[:, 0]
        yield Impression(fields, dense, torch.bernoulli(torch.sigmoid(logit)))


def main() -> None:
    torch.manual_seed(23)
    model = FactorizedRanker(buckets=500, n_fields=6, dense=5)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.03)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 0.2, 1.0, total_iters=20)
    meters = MeterRegistry()
    for step, batch in enumerate(traffic(180, 128, 500, 6)):
        logit = model(batch)
        loss = F.binary_cross_entropy_with_logits(logit, batch.click)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        meters.log("train/bce", loss)  # <- culprit
        meters.log("train/ctr", batch.click.mean().item())
        if step % 45 == 0:
            logger.info("%4d %s", step, meters.summary())


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
