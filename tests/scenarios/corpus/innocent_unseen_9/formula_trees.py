# gradwatch-corpus: kind=none
# about: parse trees with parent links are reference cycles that hold states with graphs; automatic collection is off and a planned gc.collect() frees them every 24 iterations
"""Tree-LSTM that predicts the value of small arithmetic formulas. The collector is run at planned moments only, to keep step times even."""
import gc
import random

import torch
from torch import nn

OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "max": max}
VOCAB = {w: i for i, w in enumerate([*OPS, *range(-2, 3)])}


class Node:
    __slots__ = ("word", "kids", "up", "hc", "value")

    def __init__(self, word, kids=(), value=None):
        self.word, self.kids, self.up, self.hc = word, list(kids), None, None
        self.value = value
        for k in self.kids:
            k.up = self

    def depth(self):
        return 0 if self.up is None else 1 + self.up.depth()


def grow(rnd, deep):
    if deep == 0 or rnd.random() < 0.15:
        v = rnd.randint(-2, 2)
        return Node(v, value=float(v))
    op = rnd.choice(list(OPS))
    a, b = grow(rnd, deep - 1), grow(rnd, deep - 1)
    return Node(op, (a, b), max(-6.0, min(6.0, OPS[op](a.value, b.value))))


class TreeCell(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(len(VOCAB), dim)
        self.mix = nn.Linear(3 * dim, 5 * dim)
        self.read = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))
        self.dim = dim

    def visit(self, node):
        for k in node.kids:
            self.visit(k)
        e = self.emb(torch.tensor(VOCAB[node.word]))
        zero = torch.zeros(self.dim)
        (ha, ca), (hb, cb) = [k.hc for k in node.kids] or [(zero, zero)] * 2
        i, fa, fb, o, u = self.mix(torch.cat([e, ha, hb])).chunk(5)
        c = i.sigmoid() * u.tanh() + (fa + 1).sigmoid() * ca + (fb + 1).sigmoid() * cb
        node.hc = (o.sigmoid() * c.tanh(), c)
        return node

    def forward(self, tree):
        return self.read(self.visit(tree).hc[0]).squeeze(0)


class PlannedGC:
    def __init__(self, every):
        self.every, self.freed = every, 0

    def __enter__(self):
        gc.collect()
        gc.freeze()
        gc.disable()
        return self

    def beat(self, n):
        if n % self.every == 0:
            self.freed += gc.collect()

    def __exit__(self, *exc):
        gc.enable()
        gc.unfreeze()
        gc.collect()


def main(n_iter=312, per_step=4):
    torch.manual_seed(40)
    rnd = random.Random(40)
    cell = TreeCell(32)
    opt = torch.optim.Adam(cell.parameters(), lr=3e-3)
    run = 0.0
    with PlannedGC(24) as sweeper:
        for n in range(1, n_iter + 1):
            forest = [grow(rnd, 3) for _ in range(per_step)]
            said = torch.stack([cell(t) for t in forest])
            truth = torch.tensor([t.value for t in forest])
            loss = nn.functional.smooth_l1_loss(said, truth)
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
            sweeper.beat(n)
            if n % 78 == 0:
                print(f"{n:4d} huber {run / 78:.3f}  objects swept {sweeper.freed}")
                run = 0.0


if __name__ == "__main__":
    main()
