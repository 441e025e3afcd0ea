# gradwatch-corpus: kind=graph-chain
# holder: self.slow_mean | anchor.slow_mean | trainer.anchor.slow_mean | self.anchor.slow_mean
# first-bad: 1
from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Config:
    speakers: int = 24
    frames: int = 40
    mels: int = 12
    dim: int = 16
    batch: int = 48
    steps: int = 140
    lr: float = 5e-3
    anchor_weight: float = 0.2
    scale: float = 10.0
    momentum: float = 0.95
    log_at: list[int] = field(default_factory=lambda: [0, 40, 80, 120, 139])


class Utterances:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        self.timbre = torch.randn(cfg.speakers, cfg.mels)

    def draw(self) -> tuple[Tensor, Tensor]:
        who = torch.randint(self.cfg.speakers, (self.cfg.batch,))
        noise = torch.randn(self.cfg.batch, self.cfg.frames, self.cfg.mels)
        return self.timbre[who].unsqueeze(1) + 1.5 * noise, who


class Encoder(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.frame = nn.Sequential(nn.Linear(cfg.mels, 32), nn.ReLU(), nn.Linear(32, cfg.dim))

    def forward(self, x: Tensor) -> Tensor:
        return F.normalize(self.frame(x).mean(dim=1), dim=-1)


class CentreBank(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(cfg.speakers, cfg.dim) / math.sqrt(cfg.dim))
        self.scale = cfg.scale

    def logits(self, emb: Tensor) -> Tensor:
        return self.scale * emb @ F.normalize(self.weight, dim=-1).T


class DriftAnchor:
    """Keeps the middle of the centre bank near its own slow average."""

    def __init__(self, dim: int, momentum: float):
        self.momentum = momentum
        self.slow_mean = torch.zeros(dim)

    def penalty(self, bank: CentreBank) -> Tensor:
        now = bank.weight.mean(dim=0)
        gap = now - self.slow_mean
        self.slow_mean = torch.lerp(self.slow_mean, now, 1 - self.momentum)  # <- culprit
        return gap.square().sum()


class Trainer:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        self.data = Utterances(cfg)
        self.encoder, self.bank = Encoder(cfg), CentreBank(cfg)
        self.anchor = DriftAnchor(cfg.dim, cfg.momentum)
        weights = [*self.encoder.parameters(), *self.bank.parameters()]
        self.optimiser = torch.optim.RMSprop(weights, lr=self.cfg.lr)

    def step(self) -> tuple[float, float]:
        wave, who = self.data.draw()
        logits = self.bank.logits(self.encoder(wave))
        loss = F.cross_entropy(logits, who) + self.cfg.anchor_weight * self.anchor.penalty(self.bank)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        hit = (logits.argmax(1) == who).float().mean()
        return loss.item(), hit.item()


def main() -> None:
    torch.manual_seed(8)
    cfg = Config()
    trainer = Trainer(cfg)
    for step in range(cfg.steps):
        loss, hit = trainer.step()
        if step in cfg.log_at:
            print(f"[{step:4d}] loss={loss:.3f} identified={hit:.0%}")


if __name__ == "__main__":
    main()
