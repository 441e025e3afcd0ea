# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | ladder.smoothed
# first-bad: 1
"""Bradley-Terry ratings for a chess ladder, with a smoothed table for seeding."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass
class LadderConfig:
    players: int = 80
    games_per_round: int = 128
    rounds: int = 200
    lr: float = 0.1
    smoothing: float = 0.3
    prior_weight: float = 1e-3
    seed: int = 3


@dataclass
class Round:
    winners: Tensor
    losers: Tensor


@dataclass
class Season:
    cfg: LadderConfig
    skill: Tensor = field(init=False)

    def __post_init__(self) -> None:
        self.skill = torch.randn(self.cfg.players)

    def rounds(self) -> Iterator[Round]:
        for _ in range(self.cfg.rounds):
            a = torch.randint(self.cfg.players, (self.cfg.games_per_round,))
            b = (a + 1 + torch.randint(self.cfg.players - 1, a.shape)) % self.cfg.players
            a_wins = torch.rand(a.shape) < torch.sigmoid(self.skill[a] - self.skill[b])
            yield Round(torch.where(a_wins, a, b), torch.where(a_wins, b, a))


class Ladder(nn.Module):
    def __init__(self, cfg: LadderConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.rating = nn.Parameter(torch.zeros(cfg.players))
        self.smoothed: Tensor = torch.zeros(cfg.players)

    def table(self) -> Tensor:
        """Ratings as they are used for pairing: smoothed over rounds."""
        self.smoothed = torch.lerp(self.smoothed, self.rating, self.cfg.smoothing)  # <- culprit
        return self.smoothed

    def nll(self, games: Round) -> Tensor:
        table = self.table()
        margin = table[games.winners] - table[games.losers]
        prior = self.cfg.prior_weight * self.rating.pow(2).sum()
        return nn.functional.softplus(-margin).mean() + prior


def rank_agreement(x: Tensor, y: Tensor) -> float:
    rx, ry = x.argsort().argsort().float(), y.argsort().argsort().float()
    return float(torch.corrcoef(torch.stack([rx, ry]))[0, 1])


def run(cfg: LadderConfig) -> Ladder:
    torch.manual_seed(cfg.seed)
    season = Season(cfg)
    ladder = Ladder(cfg)
    optimizer = torch.optim.SGD(ladder.parameters(), lr=cfg.lr, momentum=0.8)
    for number, games in enumerate(season.rounds()):
        loss = ladder.nll(games)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 40 == 0:
            agree = rank_agreement(ladder.rating.detach(), season.skill)
            print(f"round {number:3d} nll {loss.item():.4f} spearman {agree:.3f}")
    return ladder


if __name__ == "__main__":
    run(LadderConfig())
