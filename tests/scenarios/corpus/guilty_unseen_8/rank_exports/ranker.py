from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .config import JobConfig


class ListingRanker(nn.Module):
    def __init__(self, features: int, width: int) -> None:
        super().__init__()
        self.item = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width))
        self.mix = nn.MultiheadAttention(width, 2, batch_first=True)
        self.out = nn.Linear(width, 1)

    def forward(self, shown: Tensor) -> Tensor:
        z = self.item(shown)
        ctx, _ = self.mix(z, z, z, need_weights=False)
        return self.out(z + ctx).squeeze(-1)


def sample_queries(cfg: JobConfig, taste: Tensor) -> tuple[Tensor, Tensor]:
    shown = torch.randn(cfg.queries, cfg.listings, cfg.features)
    appeal = shown @ taste + 0.5 * torch.randn(cfg.queries, cfg.listings)
    return shown, appeal.argmax(-1)


def margin_terms(score: Tensor, clicked: Tensor) -> dict[str, Tensor]:
    chosen = score.gather(1, clicked[:, None])
    return {"pairwise": F.softplus(score - chosen).mean(), "listwise": F.cross_entropy(score, clicked)}
