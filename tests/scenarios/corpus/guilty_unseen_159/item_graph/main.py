# gradwatch-corpus: kind=second-backward
# holder: self.table | side.table | items.table | self.items.table | net.items.table | self.__dict__["table"]
# first-bad: 26
# notice: 0
"""Graph-smoothed recommender: item vectors come from a co-view graph."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from callbacks import Chain, Decay, Stale
from sides import Recommender

torch.set_num_threads(1)
torch.manual_seed(37)


@dataclass
class Plan:
    users: int = 40
    items: int = 50
    batch: int = 32
    steps: int = 80
    warm: int = 24
    every: int = 4


def triples(p):
    fav = torch.randint(p.items, (p.users, 4))
    for _ in range(p.steps):
        u = torch.randint(p.users, (p.batch,))
        pos = fav[u, torch.randint(4, (p.batch,))]
        yield u, pos, torch.randint(p.items, (p.batch,))


def bpr(net, u, i, j):
    return -F.logsigmoid(net(u, i) - net(u, j)).mean()


def main():
    p = Plan()
    net = Recommender(p.users, p.items)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    chain = Chain([Stale(net.items, lambda k: k < p.warm or k % p.every == 0),  # <- culprit
                   Decay(opt, p.steps)])
    for k, (u, i, j) in enumerate(triples(p)):
        loss = bpr(net, u, i, j)
        opt.zero_grad()
        loss.backward()
        opt.step()
        chain.after(k)
        if k % 8 == 0:
            print(k, round(loss.item(), 4))


if __name__ == "__main__":
    main()
