# gradwatch-corpus: kind=none
"""Sequence reversal with a curriculum over the length of the input."""
from collections import defaultdict

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)


class Reverser(nn.Module):
    def __init__(self, symbols=12, dim=32):
        super().__init__()
        self.embed = nn.Embedding(symbols, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, symbols)

    def forward(self, x):
        e = self.embed(x)
        _, h = self.enc(e)
        y = x.flip(1)
        shifted = torch.cat([torch.zeros_like(e[:, :1]), self.embed(y)[:, :-1]], dim=1)
        out, _ = self.dec(shifted, h)
        return self.out(out), y


class Stage:
    def __init__(self, length, patience=70):
        self.length = length
        self.left = patience

    def over(self, losses):
        self.left -= 1
        if self.left <= 0:
            return True
        tail = losses[-15:]
        return len(tail) == 15 and torch.stack([t.detach() for t in tail]).mean().item() < 0.9


class Curriculum:
    def __init__(self, lengths):
        self.lengths = lengths
        self.position = 0
        self.stage = Stage(lengths[0])
        self.losses = defaultdict(list)
        self.summary = {}

    def record(self, loss):
        mine = self.losses[self.stage.length]
        mine.append(loss)
        if self.stage.over(mine):
            self.advance()

    def advance(self):
        done = self.stage.length
        self.summary[done, self.position] = self.losses[done][-1].item()
        print("stage", self.position, "length", done, "rounds", len(self.losses[done]),
              "loss %.3f" % self.summary[done, self.position])
        self.position += 1
        nxt = self.lengths[self.position % len(self.lengths)]
        self.stage = Stage(nxt)
        self.losses = defaultdict(list, {k: v for k, v in self.losses.items() if k == nxt and k != done})


def main():
    model = Reverser()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    curriculum = Curriculum([2, 3, 4, 6, 8])
    for _ in range(560):
        x = torch.randint(0, 12, (16, curriculum.stage.length))
        logits, y = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curriculum.record(loss)
    print(len(curriculum.summary), "stages")


if __name__ == "__main__":
    main()
