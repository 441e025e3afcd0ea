# gradwatch-corpus: kind=graph-held
# holder: self._heap | leader._heap | self.leader._heap | learner.leader._heap
# first-bad: 1
"""Next-purchase model for a grocery chain; ranks the worst-predicted baskets."""
import heapq
import itertools
from typing import NamedTuple

import torch
from torch import nn


class Basket(NamedTuple):
    items: torch.Tensor
    target: torch.Tensor
    store: int


class HardBaskets:
    """All baskets seen, worst first."""

    def __init__(self):
        self._heap = []
        self._tick = itertools.count()

    def offer(self, badness, basket):
        worst, where = badness.max(dim=0)
        key = -worst.item()
        entry = (key, next(self._tick), badness, int(where), basket.store)
        heapq.heappush(self._heap, entry)  # <- culprit

    def top(self, n):
        for key, _, badness, where, store in heapq.nsmallest(n, self._heap):
            spread = badness.std().item()
            yield store, -key, spread


class Store:
    def __init__(self, number, n_items):
        self.number = number
        gen = torch.Generator().manual_seed(number)
        self.affinity = torch.rand(n_items, n_items, generator=gen).pow(6)
        self.gen = gen

    def checkout(self, n):
        items = torch.randint(0, len(self.affinity), (n, 6), generator=self.gen)
        weights = self.affinity[items].sum(1)
        target = torch.multinomial(weights, 1, generator=self.gen).squeeze(1)
        return Basket(items, target, self.number)


class NextItem(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_items, dim, mode="mean")
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.ELU())
        self.score = nn.Linear(dim, n_items)

    def forward(self, items):
        return self.score(self.mix(self.bag(items)))


class Learner:
    def __init__(self, net, leader):
        self.net = net
        self.leader = leader
        self.opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
        self.per_basket = nn.CrossEntropyLoss(reduction="none")

    def learn(self, basket):
        losses = self.per_basket(self.net(basket.items), basket.target)
        self.opt.zero_grad()
        losses.mean().backward()
        self.opt.step()
        self.leader.offer(losses, basket)  # <- culprit
        return losses.mean().item()


def main():
    torch.manual_seed(15)
    stores = [Store(k, 80) for k in (11, 27, 64)]
    leader = HardBaskets()
    learner = Learner(NextItem(80, 24), leader)
    for day, store in enumerate(itertools.islice(itertools.cycle(stores), 140)):
        value = learner.learn(store.checkout(48))
        if day % 35 == 0:
            print(f"day {day:3d} store {store.number} loss {value:.3f}")
    for number, worst, spread in leader.top(4):
        print(f"store {number}: worst {worst:.2f} (spread {spread:.2f})")


if __name__ == "__main__":
    main()
