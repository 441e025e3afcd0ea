# gradwatch-corpus: kind=graph-chain
# holder: self.rating | table.rating | league.table.rating
# first-bad: 1
# notice: 5
"""Drifting chess-club ratings: per-round corrections fitted online to match results."""
import random

import torch

torch.set_num_threads(1)

N_PLAYERS = 8
SCALE = 1.0


class RatingTable:
    """Current rating of every player; each round adds a learned correction for the season phase."""

    def __init__(self, n_players, n_phases):
        self.base = torch.zeros(n_players)
        self.drift = torch.nn.Parameter(0.01 * torch.randn(n_phases, n_players))
        self.home = torch.nn.Parameter(torch.zeros(1))
        self.rating = self.base

    def parameters(self):
        return [self.drift, self.home]

    def advance(self, phase):
        self.rating = self.rating + self.drift[phase]  # <- culprit
        return self.rating

    def centred(self):
        return self.rating - self.rating.mean()


class League:
    def __init__(self, rng):
        self.rng = rng
        self.skill = [rng.gauss(0, 1) for _ in range(N_PLAYERS)]
        self.trend = [rng.gauss(0, 0.004) for _ in range(N_PLAYERS)]
        self.table = RatingTable(N_PLAYERS, n_phases=6)

    def play_round(self):
        order = list(range(N_PLAYERS))
        self.rng.shuffle(order)
        games = []
        for white, black in zip(order[::2], order[1::2]):
            edge = self.skill[white] - self.skill[black] + 0.2
            p = 1 / (1 + 2.718 ** (-edge))
            games.append((white, black, 1.0 if self.rng.random() < p else 0.0))
        for i in range(N_PLAYERS):
            self.skill[i] += self.trend[i]
        return games


def expected(ratings, home, games):
    white = torch.stack([ratings[w] for w, _, _ in games])
    black = torch.stack([ratings[b] for _, b, _ in games])
    return torch.sigmoid((white - black + home) / SCALE)


def correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (a.norm() * b.norm() + 1e-9))


def season(rounds=320):
    rng = random.Random(77)
    torch.manual_seed(77)
    league = League(rng)
    table = league.table
    opt = torch.optim.SGD(table.parameters(), lr=0.002)
    bce = torch.nn.BCELoss()
    running = 0.7
    for r in range(rounds):
        games = league.play_round()
        table.advance(r % 6)
        p = expected(table.centred(), table.home, games)
        loss = bce(p, torch.tensor([g[2] for g in games]))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(table.parameters(), 1.0)
        opt.step()
        running = 0.98 * running + 0.02 * loss.item()
        if r % 80 == 0:
            c = correlation(table.rating.detach(), torch.tensor(league.skill))
            print(f"round {r:3d}  log loss {running:.3f}  corr with skill {c:.2f}")
    return table


season()
