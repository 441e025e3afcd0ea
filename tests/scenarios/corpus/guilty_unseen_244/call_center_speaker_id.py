# gradwatch-corpus: kind=second-backward
# holder: self.centroids | bank.centroids | self.bank.centroids | enrol.bank.centroids
# first-bad: 25
"""Caller verification: margin softmax first, then a pull towards running voice centroids."""
from __future__ import annotations

import logging
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

logger = logging.getLogger("caller_id")


@dataclass
class EnrolConfig:
    callers: int = 20
    coeffs: int = 20
    frames: int = 40
    emb: int = 24
    batch: int = 30
    steps: int = 90
    centroid_from: int = 25
    momentum: float = 0.9
    margin: float = 0.15
    scale: float = 12.0
    pull_weight: float = 0.3
    lr: float = 2e-3


class StatsPoolEncoder(nn.Module):
    def __init__(self, cfg: EnrolConfig) -> None:
        super().__init__()
        self.frame = nn.Sequential(
            nn.Conv1d(cfg.coeffs, 32, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(32, 32, 3, padding=2, dilation=2),
            nn.ReLU(),
        )
        self.project = nn.Linear(64, cfg.emb)

    def forward(self, mfcc: Tensor) -> Tensor:
        h = self.frame(mfcc)
        pooled = torch.cat([h.mean(dim=2), h.std(dim=2)], dim=1)
        return F.normalize(self.project(pooled), dim=1)


class MarginHead(nn.Module):
    def __init__(self, cfg: EnrolConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.anchors = nn.Parameter(torch.randn(cfg.callers, cfg.emb))

    def forward(self, voice: Tensor, caller: Tensor) -> Tensor:
        cosine = voice @ F.normalize(self.anchors, dim=1).T
        shifted = cosine - self.cfg.margin * F.one_hot(caller, self.cfg.callers)
        return F.cross_entropy(self.cfg.scale * shifted, caller)


class CentroidBank:
    def __init__(self, cfg: EnrolConfig) -> None:
        self.momentum = cfg.momentum
        self.centroids: dict[int, Tensor] = {}

    def absorb(self, voice: Tensor, caller: Tensor) -> None:
        for who in caller.unique().tolist():
            fresh = voice[caller == who].mean(dim=0)  # <- culprit
            old = self.centroids.get(who)
            if old is None:
                self.centroids[who] = fresh  # <- culprit
            else:
                self.centroids[who] = self.momentum * old + (1 - self.momentum) * fresh  # <- culprit

    def pull(self, voice: Tensor, caller: Tensor) -> Tensor:
        known = [i for i, who in enumerate(caller.tolist()) if who in self.centroids]
        goal = torch.stack([self.centroids[int(caller[i])] for i in known])
        return (1 - F.cosine_similarity(voice[known], goal, dim=1)).mean()


class CallGenerator:
    def __init__(self, cfg: EnrolConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.timbre = torch.randn(cfg.callers, cfg.coeffs, 1, generator=self.gen)

    def __call__(self) -> tuple[Tensor, Tensor]:
        caller = torch.randint(self.cfg.callers, (self.cfg.batch,), generator=self.gen)
        noise = torch.randn(self.cfg.batch, self.cfg.coeffs, self.cfg.frames, generator=self.gen)
        return self.timbre[caller] * 0.7 + noise, caller


class Enrolment:
    def __init__(self, cfg: EnrolConfig) -> None:
        self.cfg = cfg
        self.encoder = StatsPoolEncoder(cfg)
        self.head = MarginHead(cfg)
        self.bank = CentroidBank(cfg)
        self.opt = torch.optim.Adam([*self.encoder.parameters(), *self.head.parameters()], lr=cfg.lr)

    def step(self, n: int, mfcc: Tensor, caller: Tensor) -> dict[str, float]:
        voice = self.encoder(mfcc)
        loss = self.head(voice, caller)
        report = {"margin": loss.item()}
        if n >= self.cfg.centroid_from:
            pull = self.bank.pull(voice, caller)
            report["pull"] = pull.item()
            loss = loss + self.cfg.pull_weight * pull
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.absorb(voice, caller)  # <- culprit
        return report


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(71)
    cfg = EnrolConfig()
    calls = CallGenerator(cfg, seed=72)
    enrol = Enrolment(cfg)
    for n in range(cfg.steps):
        report = enrol.step(n, *calls())
        if n % 10 == 0:
            logger.info("step %d %s", n, report)
