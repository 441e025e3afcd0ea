# gradwatch-corpus: kind=none
"""Learned Elo: a small net updates team ratings after each match day, unrolled over four match days per step.
Three seeds blended; ratings run on through the season."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

TEAMS, DIM, UNROLL, SEASON = 20, 6, 4, 80
SEEDS = (0, 1, 2)


def schedule(rng):
    order = list(range(TEAMS))
    while True:
        rng.shuffle(order)
        yield torch.tensor(order[:TEAMS // 2]), torch.tensor(order[TEAMS // 2:])


class League:
    """True strengths drift like a random walk."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.strength = torch.randn(TEAMS, generator=self.g)
        self.fixtures = schedule(random.Random(seed))

    def match_day(self):
        home, away = next(self.fixtures)
        self.strength = 0.99 * self.strength + 0.1 * torch.randn(TEAMS, generator=self.g)
        mean = self.strength[home] - self.strength[away] + 0.3
        return home, away, mean + 0.8 * torch.randn(len(home), generator=self.g)


class RatingNet(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.update = nn.Sequential(nn.Linear(2 * DIM + 1, hid), nn.Tanh(), nn.Linear(hid, DIM))
        self.gate = nn.Linear(2 * DIM + 1, DIM)
        self.spread = nn.Sequential(nn.Linear(2 * DIM, hid), nn.Tanh(), nn.Linear(hid, 1))

    def forward(self, ratings, home, away):
        return self.spread(torch.cat([ratings[home], ratings[away]], 1)).squeeze(1)

    def advance(self, ratings, home, away, margin):
        new = ratings.clone()
        for me, other, m in ((home, away, margin), (away, home, -margin)):
            z = torch.cat([ratings[me], ratings[other], m.unsqueeze(1)], 1)
            g = torch.sigmoid(self.gate(z))
            new[me] = (1 - g) * ratings[me] + g * self.update(z)
        return new


class Tracker:
    """Carries the ratings; window() opens an unroll, and closing it cuts the tape."""

    def __init__(self, model):
        self.model = model
        self.ratings = torch.zeros(TEAMS, DIM)
        self.loss = None

    def __enter__(self):
        self.loss = torch.zeros(())
        return self

    def day(self, home, away, margin):
        pred = self.model(self.ratings, home, away)
        self.loss = self.loss + F.smooth_l1_loss(pred, margin)
        self.ratings = self.model.advance(self.ratings, home, away, margin)
        return pred

    def __exit__(self, *exc):
        self.ratings = self.ratings.detach()
        self.loss = None


class Ema:
    def __init__(self, model, decay=0.95):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}

    def __call__(self, model):
        for k, v in model.state_dict().items():
            self.shadow[k] += (1 - self.decay) * (v - self.shadow[k])


def train(seed):
    torch.manual_seed(seed)
    league, model = League(seed + 50), RatingNet()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ema, tracker = Ema(model), Tracker(model)
    curve = []
    for step in range(SEASON):
        with tracker as t:
            for _ in range(UNROLL):
                t.day(*league.match_day())
            loss = t.loss / UNROLL
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        ema(model)
        curve.append(loss.item())
    print(f"seed {seed}: {sum(curve[:20]) / 20:.4f} -> {sum(curve[-20:]) / 20:.4f}")
    model.load_state_dict(ema.shadow)
    return model


@torch.no_grad()
def blend_score(models, days=30):
    league = League(999)
    trackers = [Tracker(m.eval()) for m in models]
    for t in trackers:
        t.loss = torch.zeros(())
    err = []
    for _ in range(days):
        home, away, margin = league.match_day()
        preds = torch.stack([t.day(home, away, margin) for t in trackers])
        err.append(F.smooth_l1_loss(preds.mean(0), margin).item())
    return sum(err[5:]) / len(err[5:])


if __name__ == "__main__":
    models = [train(s) for s in SEEDS]
    print(f"blend on a fresh league: {blend_score(models):.4f}")
