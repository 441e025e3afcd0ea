from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from .bus import Bus
from .ledger import SegmentLedger

SEGMENTS = ("ring-road", "harbour", "old-town", "airport")


@dataclass
class ServiceConfig:
    steps: int = 300
    batch: int = 16
    n_feat: int = 6
    lr: float = 2e-3


class EtaNet(nn.Module):
    def __init__(self, n_feat: int) -> None:
        super().__init__()
        self.segment = nn.Embedding(len(SEGMENTS), 4)
        self.body = nn.Sequential(nn.Linear(n_feat + 4, 24), nn.SiLU(), nn.Linear(24, 1))

    def forward(self, seg: torch.Tensor, feats: torch.Tensor) -> torch.Tensor:
        return self.body(torch.cat([self.segment(seg), feats], dim=1)).squeeze(1)


class EtaTrainingService:
    def __init__(self, cfg: ServiceConfig) -> None:
        self.cfg = cfg
        self.bus = Bus()
        self.ledger = SegmentLedger(self.bus)
        self.net = EtaNet(cfg.n_feat)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)
        self._truth = torch.randn(cfg.n_feat)

    def _draw(self, idx: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        x = torch.randn(self.cfg.batch, self.cfg.n_feat)
        seg = torch.full((self.cfg.batch,), idx, dtype=torch.long)
        return seg, x, x @ self._truth + 0.3 * idx

    def _score(self, name: str, pred: torch.Tensor, eta: torch.Tensor) -> torch.Tensor:
        gap = pred - eta
        self.bus.publish("batch.scored", segment=name, mae=gap.abs().mean())
        return F.huber_loss(pred, eta)

    def run(self) -> None:
        for step in range(self.cfg.steps):
            idx = step % len(SEGMENTS)
            seg, x, eta = self._draw(idx)
            objective = self._score(SEGMENTS[idx], self.net(seg, x), eta)
            self.opt.zero_grad()
            objective.backward()
            self.opt.step()
