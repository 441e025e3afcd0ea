# gradwatch-corpus: kind=graph-held
# holder: self.awaiting | joiner.awaiting | self.joiner.awaiting | learner.joiner.awaiting
# first-bad: 1
"""Online click model; conversions arrive late and are joined for a calibration read-out."""
from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import AsyncIterator, NamedTuple

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class AuctionConfig:
    campaigns: int = 60
    placements: int = 25
    emb: int = 10
    impressions: int = 48
    ticks: int = 140
    conversion_rate: float = 0.12
    max_delay: int = 6
    lr: float = 0.02


class Impression(NamedTuple):
    tick: int
    event_ids: list[str]
    campaign: Tensor
    placement: Tensor
    clicked: Tensor
    conversions: list[str]


class FactorizedCtr(nn.Module):
    def __init__(self, cfg: AuctionConfig) -> None:
        super().__init__()
        self.campaign = nn.Embedding(cfg.campaigns, cfg.emb)
        self.placement = nn.Embedding(cfg.placements, cfg.emb)
        self.top = nn.Sequential(nn.Linear(3 * cfg.emb, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, campaign: Tensor, placement: Tensor) -> Tensor:
        a = self.campaign(campaign)
        b = self.placement(placement)
        return self.top(torch.cat([a, b, a * b], dim=1)).squeeze(1)


async def auction_feed(cfg: AuctionConfig, seed: int) -> AsyncIterator[Impression]:
    gen = torch.Generator().manual_seed(seed)
    rnd = random.Random(seed)
    pull = torch.randn(cfg.campaigns, generator=gen)
    due: dict[int, list[str]] = {}
    for tick in range(cfg.ticks):
        campaign = torch.randint(cfg.campaigns, (cfg.impressions,), generator=gen)
        placement = torch.randint(cfg.placements, (cfg.impressions,), generator=gen)
        clicked = (torch.rand(cfg.impressions, generator=gen) < torch.sigmoid(pull[campaign] - 1)).float()
        ids = [f"{tick:05d}-{k:03d}" for k in range(cfg.impressions)]
        for event in ids:
            if rnd.random() < cfg.conversion_rate:
                due.setdefault(tick + rnd.randint(1, cfg.max_delay), []).append(event)
        await asyncio.sleep(0)
        yield Impression(tick, ids, campaign, placement, clicked, due.pop(tick, []))


class ConversionJoiner:
    def __init__(self) -> None:
        self.awaiting: dict[str, Tensor] = {}
        self.matched = 0
        self.score_sum = 0.0

    def register(self, event_ids: list[str], probability: Tensor) -> None:
        self.awaiting.update(zip(event_ids, probability.unbind()))  # <- culprit

    def resolve(self, conversions: list[str]) -> None:
        for event in conversions:
            p = self.awaiting.pop(event, None)
            if p is not None:
                self.matched += 1
                self.score_sum += p.item()

    @property
    def mean_score(self) -> float:
        return self.score_sum / max(self.matched, 1)


class OnlineLearner:
    def __init__(self, cfg: AuctionConfig) -> None:
        self.model = FactorizedCtr(cfg)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=cfg.lr)
        self.joiner = ConversionJoiner()

    def consume(self, imp: Impression) -> float:
        logit = self.model(imp.campaign, imp.placement)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, imp.clicked)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.joiner.resolve(imp.conversions)
        self.joiner.register(imp.event_ids, logit.sigmoid())  # <- culprit
        return loss.item()


async def serve(cfg: AuctionConfig) -> None:
    learner = OnlineLearner(cfg)
    async for imp in auction_feed(cfg, seed=2024):
        logloss = learner.consume(imp)
        if imp.tick % 20 == 0:
            print(f"tick={imp.tick} logloss={logloss:.4f} joined={learner.joiner.matched} score@conv={learner.joiner.mean_score:.3f}")


if __name__ == "__main__":
    torch.manual_seed(2023)
    asyncio.run(serve(AuctionConfig()))
