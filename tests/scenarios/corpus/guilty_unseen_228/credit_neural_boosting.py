# gradwatch-corpus: kind=graph-chain
# holder: self.ensemble_logits | booster.ensemble_logits
# first-bad: 1
"""Neural gradient boosting for credit default prediction (GrowNet-like)."""
import argparse
from dataclasses import dataclass
from typing import List

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class BoostConfig:
    n_stages: int = 90
    hidden: int = 24
    shrinkage: float = 0.15
    lr: float = 2e-2
    n_rows: int = 256
    n_features: int = 18
    seed: int = 11


class WeakLearner(nn.Module):
    def __init__(self, n_in: int, hidden: int):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, hidden),
            nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


def make_credit_table(cfg: BoostConfig):
    gen = torch.Generator().manual_seed(cfg.seed)
    x = torch.randn(cfg.n_rows, cfg.n_features, generator=gen)
    score = x[:, 0] * 1.3 - x[:, 3] * x[:, 5] + 0.4 * x[:, 7].abs()
    y = (score > score.median()).float()
    return x, y


class NeuralBooster:
    def __init__(self, cfg: BoostConfig, x, y):
        self.cfg = cfg
        self.x = x
        self.y = y
        self.learners: List[WeakLearner] = []
        prior = y.mean().clamp(1e-3, 1 - 1e-3)
        self.ensemble_logits = torch.full_like(y, torch.logit(prior).item())

    def fit_stage(self) -> float:
        cfg = self.cfg
        learner = WeakLearner(cfg.n_features, cfg.hidden)
        optimizer = torch.optim.AdamW(learner.parameters(), lr=cfg.lr)
        logits = self.ensemble_logits + learner(self.x)  # <- culprit
        loss = F.binary_cross_entropy_with_logits(logits, self.y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        stage_out = learner(self.x)  # <- culprit
        self.ensemble_logits = self.ensemble_logits + cfg.shrinkage * stage_out  # <- culprit
        self.learners.append(learner)
        return loss.item()

    @torch.no_grad()
    def accuracy(self) -> float:
        return ((self.ensemble_logits > 0).float() == self.y).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stages", type=int, default=90)
    args = parser.parse_args()
    cfg = BoostConfig(n_stages=args.stages)
    torch.manual_seed(cfg.seed)
    x, y = make_credit_table(cfg)
    booster = NeuralBooster(cfg, x, y)
    for stage in range(cfg.n_stages):
        loss = booster.fit_stage()
        if stage % 15 == 0:
            print(f"stage {stage:3d}  logloss {loss:.4f}  acc {booster.accuracy():.3f}")


if __name__ == "__main__":
    main()
