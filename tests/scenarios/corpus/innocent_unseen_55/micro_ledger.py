# gradwatch-corpus: kind=none
"""Micro-batched training: pieces are put on a ledger and settled per update."""
from collections import UserDict

import torch
import torch.nn.functional as F
from torch import nn

PIECES = 4


class Ledger(list):
    """Open loss terms of the current update."""

    def owe(self, term, weight=1.0):
        self.append(weight * term)
        return term

    def settle(self):
        total = torch.stack(self).sum()
        self.clear()
        return total


class Running(UserDict):
    """name -> exponential average; __getitem__ hands out tensors again."""

    def __init__(self, keep):
        self.keep = keep
        super().__init__()

    def __missing__(self, name):
        return None

    def __setitem__(self, name, value):
        old = self.data.get(name)
        value = value.item() if torch.is_tensor(value) else float(value)
        self.data[name] = value if old is None else self.keep * old + (1 - self.keep) * value

    def __getitem__(self, name):
        value = super().__getitem__(name)
        return None if value is None else torch.tensor(value)


class Tagger(nn.Module):
    def __init__(self, vocab=30, width=24, tags=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.tag = nn.Linear(width, tags)
        self.next = nn.Linear(width, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.tag(h), self.next(h[:, :-1])


class Updater:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=4e-3)
        self.ledger = Ledger()
        self.running = Running(0.9)

    def piece(self, ids, tags):
        t, n = self.net(ids)
        scale = self.running["lm"]
        lm = F.cross_entropy(n.flatten(0, 1), ids[:, 1:].flatten())
        tg = F.cross_entropy(t.flatten(0, 1), tags.flatten())
        self.running["lm"] = self.ledger.owe(lm, 0.3 / PIECES / (1.0 if scale is None else scale))
        self.running["tag"] = self.ledger.owe(tg, 1.0 / PIECES)

    def update(self, pieces):
        for ids, tags in pieces:
            self.piece(ids, tags)
        total = self.ledger.settle()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()


def corpus(n, size=8, length=10, vocab=30):
    for _ in range(n):
        pieces = []
        for _ in range(PIECES):
            start = torch.randint(vocab, (size, 1))
            ids = (start + 3 * torch.arange(length)) % vocab
            pieces.append((ids, ids % 6))
        yield pieces


def main():
    torch.manual_seed(5)
    up = Updater(Tagger())
    for k, pieces in enumerate(corpus(70)):
        up.update(pieces)
        if k % 14 == 0:
            print(f"update {k:3d}", {n: round(v, 3) for n, v in up.running.data.items()})


if __name__ == "__main__":
    main()
