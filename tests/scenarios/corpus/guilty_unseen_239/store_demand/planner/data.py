import math
from typing import Iterator, NamedTuple

import torch

from planner.config import PlannerConfig


class Day(NamedTuple):
    index: int
    weekday: int
    promo: torch.Tensor
    sales: torch.Tensor


def sales_stream(cfg: PlannerConfig) -> Iterator[Day]:
    gen = torch.Generator().manual_seed(cfg.seed)
    base = torch.rand(cfg.stores, generator=gen) * 2 + 1
    uplift = torch.randn(cfg.promo_features, generator=gen) * 0.3
    for day in range(cfg.days):
        promo = (torch.rand(cfg.stores, cfg.promo_features, generator=gen) > 0.7).float()
        weekly = 0.4 * math.sin(2 * math.pi * day / cfg.season)
        noise = 0.1 * torch.randn(cfg.stores, generator=gen)
        base = base + 0.01 * torch.randn(cfg.stores, generator=gen)
        yield Day(day, day % cfg.season, promo, base + weekly + promo @ uplift + noise)
