# gradwatch-corpus: kind=graph-held
# holder: season | season._exit_callbacks | closing | closing._exit_callbacks
# first-bad: 1
"""Expected goals from shot events plus team ratings, fitted match by match over several seasons.

What can only be settled once the season is over (final table, calibration) is put on an exit stack.
"""
import contextlib
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

TEAMS = ["Aston", "Brook", "Caldew", "Dene", "Esk", "Fell", "Gill", "Harrow", "Irwell", "Kent"]


@contextlib.contextmanager
def stopwatch(title, sink):
    start = time.perf_counter()
    try:
        yield
    finally:
        sink[title] = sink.get(title, 0.0) + time.perf_counter() - start


@contextlib.contextmanager
def training(model):
    was = model.training
    model.train()
    try:
        yield model
    finally:
        model.train(was)


class Table:
    """Expected points against points really won."""

    def __init__(self):
        self.rows = {t: [0.0, 0.0] for t in TEAMS}

    def settle(self, home, away, xg, goals):
        home_xg, away_xg = xg.tolist()
        expected = 3 / (1 + math.exp(away_xg - home_xg))
        won = 3 if goals[0] > goals[1] else 1 if goals[0] == goals[1] else 0
        for team, e, w in ((home, expected, won), (away, 3 - expected, 1 if won == 1 else 3 - won)):
            self.rows[team][0] += e
            self.rows[team][1] += w

    def show(self):
        for team, (e, w) in sorted(self.rows.items(), key=lambda r: -r[1][1])[:4]:
            print(f"   {team:8s} {w:5.0f} pts  (expected {e:6.1f})")


class ShotModel(nn.Module):
    def __init__(self, features=6, dim=32):
        super().__init__()
        self.attack = nn.Embedding(len(TEAMS), 8)
        self.defence = nn.Embedding(len(TEAMS), 8)
        self.net = nn.Sequential(nn.Linear(features + 16, dim), nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(),
                                 nn.Linear(dim, 1))

    def forward(self, shots, shooter, keeper):
        z = torch.cat([shots, self.attack(shooter), self.defence(keeper)], dim=1)
        return self.net(z).squeeze(1)


class Fixtures:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.strength = torch.randn(len(TEAMS), generator=self.gen) * 0.5

    def draw(self):
        pair = torch.randperm(len(TEAMS), generator=self.gen)[:2]
        n = int(torch.randint(16, 34, (), generator=self.gen))
        side = torch.randint(2, (n,), generator=self.gen)
        shots = torch.randn(n, 6, generator=self.gen)
        shooter, keeper = pair[side], pair[1 - side]
        z = -1.8 - 0.9 * shots[:, 0] + 0.5 * shots[:, 1] + self.strength[shooter] - self.strength[keeper]
        goal = torch.bernoulli(torch.sigmoid(z), generator=self.gen)
        return pair, side, shots, shooter, keeper, goal


def play(fixture, model, optim, table, closing):
    pair, side, shots, shooter, keeper, goal = fixture
    logits = model(shots, shooter, keeper)
    loss = F.binary_cross_entropy_with_logits(logits, goal)
    loss = loss + 1e-3 * (model.attack.weight.pow(2).mean() + model.defence.weight.pow(2).mean())
    optim.zero_grad()
    loss.backward()
    optim.step()

    chance = torch.sigmoid(logits)  # <- culprit
    xg = torch.zeros(2).index_add(0, side, chance)
    goals = [int(goal[side == s].sum()) for s in (0, 1)]
    home, away = (TEAMS[int(t)] for t in pair)
    closing.callback(table.settle, home, away, xg, goals)  # <- culprit
    return loss.item()


def main(matches=300):
    torch.manual_seed(10)
    torch.set_num_threads(1)
    fixtures, model, table, clock = Fixtures(seed=1), ShotModel(), Table(), {}
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    smooth = 0.45
    with contextlib.ExitStack() as season:
        season.enter_context(training(model))
        season.callback(table.show)
        for match in range(matches):
            with stopwatch("play", clock):
                smooth += 0.03 * (play(fixtures.draw(), model, optim, table, season) - smooth)
            if (match + 1) % 75 == 0:
                print(f"match {match + 1}: log-loss {smooth:.4f}")
        print("final whistle")
    print(f"{1000 * clock['play'] / matches:.1f} ms a match")


if __name__ == "__main__":
    main()
