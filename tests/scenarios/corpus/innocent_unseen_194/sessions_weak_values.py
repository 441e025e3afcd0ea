# gradwatch-corpus: kind=none
import random
import weakref

import torch
from torch import nn

torch.manual_seed(29)
random.seed(29)

SESSIONS = weakref.WeakValueDictionary()


class Session:
    """A shopper's visit: the scores given so far."""

    def __init__(self, number):
        self.number = number
        self.scores = []
        self.left = random.randint(3, 9)
        SESSIONS[number] = self

    def visit(self, score):
        self.scores.append(score)
        self.left -= 1
        return self.left > 0

    def appeal(self):
        return torch.stack(self.scores).mean().item()


class Recommender(nn.Module):
    def __init__(self, items=60, dim=12):
        super().__init__()
        self.items = nn.Embedding(items, dim)
        self.taste = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, dim))
        self.bias = nn.Embedding(items, 1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, shopper, item):
        return (self.taste(shopper) * self.items(item)).sum(-1) + self.bias(item).squeeze(-1)


class Shop:
    def __init__(self, items=60):
        self.appeal = torch.randn(items, 5)

    def batch(self, n=48):
        shopper = torch.randn(n, 5)
        item = torch.randint(len(self.appeal), (n,))
        bought = torch.bernoulli(torch.sigmoid(2 * (shopper * self.appeal[item]).sum(1)))
        return shopper, item, bought


def mean_appeal():
    busy = [s for s in SESSIONS.values() if s.scores]
    return sum(s.appeal() for s in busy) / max(1, len(busy))


def main(steps=480):
    model = Recommender()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    shop = Shop()
    inside = [Session(n) for n in range(6)]
    arrivals = len(inside)

    for step in range(steps):
        shopper, item, bought = shop.batch()
        logits = model(shopper, item)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, bought)
        opt.zero_grad()
        loss.backward()
        opt.step()

        who = random.randrange(len(inside))
        if not inside[who].visit(logits[0]):
            inside[who] = Session(arrivals)
            arrivals += 1
        if step % 80 == 79:
            print(f"step {step + 1} loss {loss.item():.3f} sessions {sorted(SESSIONS)} appeal {mean_appeal():+.3f}")


if __name__ == "__main__":
    main()
