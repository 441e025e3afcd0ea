# gradwatch-corpus: kind=graph-chain
# holder: self.committed | ledger.committed | self.ledger.committed | trainer.ledger.committed
# first-bad: 1
"""Freight lane pricing: lane/carrier factors, fitted under a quarterly spend ceiling."""
from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class QuarterPlan:
    lanes: int = 220
    carriers: int = 35
    rank: int = 12
    tenders_per_batch: int = 96
    batches: int = 120
    ceiling_per_tender: float = 1.1
    ceiling_weight: float = 0.05
    lr: float = 0.08


@dataclass
class Tender:
    lane: torch.Tensor
    carrier: torch.Tensor
    rate: torch.Tensor


class TenderFeeder(threading.Thread):
    def __init__(self, plan: QuarterPlan, seed: int, depth: int = 4) -> None:
        super().__init__(daemon=True)
        self.plan = plan
        self.gen = torch.Generator().manual_seed(seed)
        self.out: "queue.Queue[Tender | None]" = queue.Queue(maxsize=depth)
        self.lane_base = torch.rand(plan.lanes, generator=self.gen) * 1.5
        self.markup = torch.randn(plan.carriers, generator=self.gen) * 0.2

    def run(self) -> None:
        n = self.plan.tenders_per_batch
        for _ in range(self.plan.batches):
            lane = torch.randint(self.plan.lanes, (n,), generator=self.gen)
            carrier = torch.randint(self.plan.carriers, (n,), generator=self.gen)
            noise = 0.05 * torch.randn(n, generator=self.gen)
            self.out.put(Tender(lane, carrier, self.lane_base[lane] + self.markup[carrier] + noise))
        self.out.put(None)

    def __iter__(self):
        while (item := self.out.get()) is not None:
            yield item


class LaneRateModel(nn.Module):
    def __init__(self, plan: QuarterPlan) -> None:
        super().__init__()
        self.lane_factor = nn.Embedding(plan.lanes, plan.rank)
        self.carrier_factor = nn.Embedding(plan.carriers, plan.rank)
        self.lane_bias = nn.Embedding(plan.lanes, 1)
        self.carrier_bias = nn.Embedding(plan.carriers, 1)
        for table in (self.lane_factor, self.carrier_factor):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, lane: torch.Tensor, carrier: torch.Tensor) -> torch.Tensor:
        cross = (self.lane_factor(lane) * self.carrier_factor(carrier)).sum(-1)
        bias = self.lane_bias(lane) + self.carrier_bias(carrier)
        return F.softplus(cross + bias.squeeze(-1))


class SpendLedger:
    def __init__(self, plan: QuarterPlan) -> None:
        self.plan = plan
        self.committed = torch.zeros(())
        self.tenders = 0

    def overshoot(self, quoted: torch.Tensor) -> torch.Tensor:
        self.committed = self.committed + quoted.sum()  # <- culprit
        self.tenders += quoted.numel()
        return F.relu(self.committed / self.tenders - self.plan.ceiling_per_tender)


class RateTrainer:
    def __init__(self, plan: QuarterPlan) -> None:
        self.plan = plan
        self.model = LaneRateModel(plan)
        self.ledger = SpendLedger(plan)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=plan.lr)

    def fit_batch(self, tender: Tender) -> tuple[float, float]:
        quoted = self.model(tender.lane, tender.carrier)
        fit = F.huber_loss(quoted, tender.rate)
        over = self.ledger.overshoot(quoted)
        objective = fit + self.plan.ceiling_weight * over
        self.opt.zero_grad()
        objective.backward(retain_graph=True)
        self.opt.step()
        return fit.item(), over.item()


if __name__ == "__main__":
    torch.manual_seed(77)
    plan = QuarterPlan()
    feeder = TenderFeeder(plan, seed=78)
    feeder.start()
    trainer = RateTrainer(plan)
    for n, tender in enumerate(feeder):
        fit, over = trainer.fit_batch(tender)
        if n % 20 == 0:
            print(f"batch {n:3d}  fit {fit:.4f}  over ceiling {over:.4f}")
    feeder.join()
