# gradwatch-corpus: kind=none
"""Knock-out search over activation choices: eight entrants per bracket, losers leave."""
import random

import torch
import torch.nn.functional as F
from torch import nn

ACTS = [nn.ReLU, nn.Tanh, nn.SiLU, nn.ELU, nn.GELU, nn.Softplus, nn.LeakyReLU, nn.Mish]


class Entrant:
    def __init__(self, name, act, lr):
        self.name = name
        self.lr = lr
        self.model = nn.Sequential(nn.Linear(8, 20), act(), nn.Linear(20, 3))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.scores = []

    def fit(self, x, y):
        out = self.model(x)
        loss = F.cross_entropy(out, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.scores.append((loss, out))

    def rating(self):
        tail = self.scores[-4:]
        return sum(l.item() for l, _ in tail) / len(tail)


class Bracket:
    def __init__(self, entrants):
        self.rounds = [list(entrants)]

    def play(self, batches):
        field = self.rounds[-1]
        winners = []
        for a, b in zip(field[::2], field[1::2]):
            for x, y in batches():
                a.fit(x, y)
                b.fit(x, y)
            winners.append(a if a.rating() <= b.rating() else b)
        self.rounds.append(winners)
        return winners

    def champion(self, batches):
        while len(self.rounds[-1]) > 1:
            self.play(batches)
        return self.rounds[-1][0]


def main():
    torch.manual_seed(47)
    rng = random.Random(47)
    centers = torch.randn(3, 8)

    def batches(n=5):
        for _ in range(n):
            y = torch.randint(0, 3, (32,))
            yield centers[y] + 1.2 * torch.randn(32, 8), y

    titles = {}
    for cup in range(7):
        entrants = [Entrant(act.__name__, act, 10 ** rng.uniform(-3, -1.7)) for act in ACTS]
        rng.shuffle(entrants)
        bracket = Bracket(entrants)
        best = bracket.champion(batches)
        titles.setdefault(best.name, []).append((best.lr, best.rating()))
        losses = [l.item() for r in bracket.rounds[:1] for e in r for l, _ in e.scores[-1:]]
        print(f"cup {cup}: {best.name} lr {best.lr:.4f} rating {best.rating():.3f} field {sum(losses) / len(losses):.3f}")
    print({k: len(v) for k, v in titles.items()})


if __name__ == "__main__":
    main()
