# gradwatch-corpus: kind=graph-chain
# holder: self.rows | table.rows | self.table.rows | pipeline.table.rows
# first-bad: 1
"""Card-not-present fraud scoring with a per-account recurrent profile."""
from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional as F

log = logging.getLogger("cnp")


@dataclass(frozen=True)
class ScoringConfig:
    accounts: int = 36
    batch: int = 14
    txn_features: int = 9
    profile_dim: int = 20
    lr: float = 0.03
    steps: int = 90
    seed: int = 1187


@dataclass
class TxnBatch:
    account_ids: list[int]
    features: Tensor
    chargeback: Tensor


class AuthorizationStream:
    """Simulated authorisations; risky merchants drift over the day."""

    def __init__(self, cfg: ScoringConfig) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.risk = torch.randn(cfg.txn_features, generator=self.gen)

    def __iter__(self) -> Iterator[TxnBatch]:
        for tick in range(self.cfg.steps):
            order = torch.randperm(self.cfg.accounts, generator=self.gen)
            ids = order[: self.cfg.batch].tolist()
            feats = torch.randn(self.cfg.batch, self.cfg.txn_features, generator=self.gen)
            drift = 0.2 * torch.sin(torch.tensor(tick / 12.0))
            margin = feats @ self.risk * 0.6 - 0.8 + drift
            fraud = (torch.rand(self.cfg.batch, generator=self.gen) < margin.sigmoid()).float()
            yield TxnBatch(ids, feats, fraud)


class ProfileTable:
    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.rows: dict[int, Tensor] = {}

    def lookup(self, ids: list[int]) -> Tensor:
        blank = torch.zeros(self.dim)
        return torch.stack([self.rows.get(i, blank) for i in ids])

    def commit(self, ids: list[int], profiles: Tensor) -> None:
        for slot, account in enumerate(ids):
            self.rows[account] = profiles[slot]  # <- culprit


class ChargebackNet(nn.Module):
    def __init__(self, cfg: ScoringConfig) -> None:
        super().__init__()
        self.updater = nn.GRUCell(cfg.txn_features, cfg.profile_dim)
        self.scorer = nn.Linear(cfg.profile_dim + cfg.txn_features, 1)

    def forward(self, feats: Tensor, profile: Tensor) -> tuple[Tensor, Tensor]:
        profile = self.updater(feats, profile)
        logit = self.scorer(torch.cat([profile, feats], dim=-1)).squeeze(-1)
        return logit, profile


class InHouseSGD:
    """Momentum-free SGD with a global norm cap, as used by the serving team."""

    def __init__(self, params: list[nn.Parameter], lr: float, cap: float = 1.0) -> None:
        self.params = params
        self.lr = lr
        self.cap = cap

    def zero(self) -> None:
        for p in self.params:
            p.grad = None

    def apply(self) -> float:
        norm = torch.sqrt(sum(p.grad.pow(2).sum() for p in self.params))
        scale = min(1.0, self.cap / (float(norm) + 1e-6))
        for p in self.params:
            p.data.add_(p.grad, alpha=-self.lr * scale)
        return float(norm)


class ScoringPipeline:
    def __init__(self, cfg: ScoringConfig) -> None:
        self.cfg = cfg
        self.net = ChargebackNet(cfg)
        self.table = ProfileTable(cfg.profile_dim)
        self.sgd = InHouseSGD(list(self.net.parameters()), cfg.lr)

    def learn(self, batch: TxnBatch) -> dict[str, float]:
        profile = self.table.lookup(batch.account_ids)
        logit, profile = self.net(batch.features, profile)
        loss = F.binary_cross_entropy_with_logits(logit, batch.chargeback)
        self.sgd.zero()
        loss.backward(retain_graph=True)
        norm = self.sgd.apply()
        self.table.commit(batch.account_ids, profile)  # <- culprit
        return {"bce": loss.item(), "grad_norm": norm}


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cfg = ScoringConfig()
    torch.manual_seed(cfg.seed)
    pipeline = ScoringPipeline(cfg)
    for tick, batch in enumerate(AuthorizationStream(cfg)):
        stats = pipeline.learn(batch)
        if tick % 15 == 0:
            log.info("tick=%d bce=%.4f gnorm=%.3f", tick, stats["bce"], stats["grad_norm"])


if __name__ == "__main__":
    main()
